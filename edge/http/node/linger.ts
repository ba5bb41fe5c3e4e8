// Closes a connection whose request was answered before its body had come: little more is read, and the client gets the time to see the answer (contract section 1, 413).

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A close at once would throw away what the client has not read yet, the answer too. */
const LINGER_MS = 1000
/** Read and dropped meanwhile, for clients that write all before they read; the rest stays where it is. */
const DROPPED_BYTES = 1024 * 1024

/** For all connections of the server that end with an answer. `latest`: the last request of each. */
export function lingerWithUnreadBodies(server: Server, latest: WeakMap<Duplex, IncomingMessage>): void {
  server.on('connection', (socket: Socket) => {
    const closeAfterAnswer = socket.destroySoon.bind(socket)
    // Node calls it behind the last answer of a connection.
    socket.destroySoon = () => {
      const request = latest.get(socket)
      if (request === undefined || request.complete || socket.destroyed) closeAfterAnswer()
      else linger(socket, request)
    }
  })
}

function linger(socket: Socket, request: IncomingMessage): void {
  const until = socket.bytesRead + DROPPED_BYTES
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => socket.destroy())
  socket.on('data', () => {
    if (request.complete) socket.destroy()
    else if (socket.bytesRead >= until) socket.pause()
  })
  socket.end()
}
