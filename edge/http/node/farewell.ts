// The last answers of a server that is stopping: each says `Connection: close`, so that nobody sends another request into the end (contract section 12, SIGTERM).

import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers the function that begins it: from then on every answer ends its connection, those under way too. Costs a request
 * one assignment.
 */
export function createFarewell(server: Server): () => void {
  const latest = new Map<Socket, ServerResponse | null>()
  let isLeaving = false
  server.on('connection', (socket: Socket) => {
    latest.set(socket, null)
    socket.once('close', () => latest.delete(socket))
  })
  // Before the app's listener, which may answer at once.
  server.prependListener('request', (_request, response) => {
    if (isLeaving) response.shouldKeepAlive = false
    else if (response.socket !== null) latest.set(response.socket, response)
  })
  server.on('upgrade', (_request, socket) => latest.delete(socket as Socket))
  return () => {
    isLeaving = true
    for (const response of latest.values()) if (response?.headersSent === false) response.shouldKeepAlive = false
  }
}
