// Closes connections without losing the last answer: when the server stops, and after an answer before the whole body.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Prepares the server for its shutdown.
 * @returns A function that begins the shutdown: from then on each answer closes its connection, also for requests in progress.
 */
export function createShutdown(server: Server): () => void {
  const latest = new Map<Socket, ServerResponse | null>()
  let isShuttingDown = false
  server.on('connection', (socket: Socket) => {
    latest.set(socket, null)
    socket.once('close', () => latest.delete(socket))
  })
  // Runs before the listener of the app, which may answer at once.
  server.prependListener('request', (_request, response) => {
    if (isShuttingDown) response.shouldKeepAlive = false
    else if (response.socket !== null) latest.set(response.socket, response)
  })
  server.on('upgrade', (_request, socket) => latest.delete(socket as Socket))
  return () => {
    isShuttingDown = true
    for (const response of latest.values()) if (response?.headersSent === false) response.shouldKeepAlive = false
  }
}

/** Milliseconds before a close, because an immediate one would discard data that the client has not read yet. */
const LINGER_MS = 1000
/** Bytes read and dropped in that time, because some clients write the whole body before they read. */
const DROPPED_BYTES = 1024 * 1024

/**
 * Delays the close of a connection whose request was answered before its body had arrived (lingering close).
 * @param latest The last request of each connection.
 */
export function addLingeringClose(server: Server, latest: WeakMap<Duplex, IncomingMessage>): void {
  server.on('connection', (socket: Socket) => {
    const closeAfterAnswer = socket.destroySoon.bind(socket)
    // Node calls this after the last answer of a connection.
    socket.destroySoon = () => {
      const request = latest.get(socket)
      if (request === undefined || request.complete || socket.destroyed) closeAfterAnswer()
      else closeLingering(socket, request)
    }
  })
}

function closeLingering(socket: Socket, request: IncomingMessage): void {
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
