// Cuts bodies that dribble: after its first 5 s a body must bring 16 KiB a second, with 1 s of credit (contract section 1, "Limits").

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { LIMITS } from '../../../contract/limits.ts'
import { TOO_SLOW } from '../body.ts'

const CREDIT_MS = 1000
const BYTES_PER_MS = LIMITS.bodyBytesPerSecond / 1000

/** `now` counts milliseconds and never steps back. */
export interface Pace {
  now(): number
  sweepMs: number
  /** What of the time since the last sweep is held against clients: when we are late, what they sent is still unread. */
  mostChargedMs: number
}
const DEFAULT_PACE: Pace = { now: () => performance.now(), sweepMs: 500, mostChargedMs: 750 }

/** What is known of one connection. `request` is the latest; the sweep notes the rest when it first sees that one. */
interface Watch {
  request: IncomingMessage | null
  seen: IncomingMessage | null
  /** Since it was seen. */
  ageMs: number
  bytesRead: number
  creditBytes: number
}

/**
 * Watches all connections of the server; costs a request one assignment. A slow body makes its reader answer 408
 * (`TOO_SLOW`); where nobody reads, the connection is closed.
 */
export function cutSlowBodies(server: Server, pace: Pace = DEFAULT_PACE): void {
  const watches = new Map<Socket, Watch>()
  server.on('connection', (socket: Socket) => {
    watches.set(socket, { request: null, seen: null, ageMs: 0, bytesRead: 0, creditBytes: 0 })
    socket.once('close', () => watches.delete(socket))
  })
  server.on('request', (request) => {
    const watch = watches.get(request.socket)
    if (watch !== undefined) watch.request = request
  })
  server.on('upgrade', (request) => watches.delete(request.socket))
  let sweptAt = pace.now()
  const timer = setInterval(() => {
    const at = pace.now()
    const chargedMs = Math.min(at - sweptAt, pace.mostChargedMs)
    sweptAt = at
    for (const [socket, watch] of watches) {
      if (watch.request === null) continue
      if (watch.request.complete) watch.request = watch.seen = null
      else if (isSlow(watch, socket.bytesRead, chargedMs)) cut(watch.request, socket)
    }
  }, pace.sweepMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

function isSlow(watch: Watch, bytesRead: number, chargedMs: number): boolean {
  const full = CREDIT_MS * BYTES_PER_MS
  if (watch.seen !== watch.request) {
    watch.seen = watch.request
    watch.ageMs = 0
    watch.creditBytes = full
  } else {
    watch.ageMs += chargedMs
    if (watch.ageMs > LIMITS.bodyGraceMs) {
      const came = bytesRead - watch.bytesRead
      watch.creditBytes = Math.min(full, watch.creditBytes + came - chargedMs * BYTES_PER_MS)
    }
  }
  watch.bytesRead = bytesRead
  return watch.creditBytes < 0
}

/** Whoever is slow to send may be slow to go, too. */
const LEAVE_MS = 500

function cut(request: IncomingMessage, socket: Socket): void {
  if (!request.emit(TOO_SLOW)) socket.destroy()
  else setTimeout(() => socket.destroy(), LEAVE_MS).unref()
}
