// Limits the time of a request's headers and body, without charging clients for the time in which this process did not run.

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { LIMITS } from '../../../contract/limits.ts'
import { startRunningTime } from '../../lib/running-time.ts'
import { TOO_SLOW } from '../body.ts'

const HEADERS_CHECK_MS = 100

/**
 * Extends `headersTimeout` of the server by the time in which this process stood still: headers sent meanwhile are unread, not late.
 * Node measures wall-clock time, and reads `headersTimeout` at each check of its connections.
 */
export function extendHeadersTimeout(server: Server): void {
  const allowedMs = server.headersTimeout
  const running = startRunningTime(HEADERS_CHECK_MS)
  const samples: { at: number; ranAt: number }[] = []
  /** Wall-clock milliseconds in which this process ran for `allowedMs`. */
  function limit(): number {
    const [at, ranAt] = [performance.now(), running.now()]
    samples.push({ at, ranAt })
    while (samples[1] !== undefined && samples[1].ranAt <= ranAt - allowedMs) samples.shift()
    return Math.max(allowedMs, Math.ceil(at - (samples[0]?.at ?? at)))
  }
  limit()
  const timer = setInterval(limit, HEADERS_CHECK_MS)
  timer.unref()
  Object.defineProperty(server, 'headersTimeout', { get: limit })
  server.once('close', () => {
    clearInterval(timer)
    running.stop()
  })
}

const CREDIT_MS = 1000
const BYTES_PER_MS = LIMITS.bodyBytesPerSecond / 1000

export interface BodyRateClock {
  /** Milliseconds; never steps back. */
  now(): number
  sweepMs: number
  /** Upper limit of the time charged per sweep: after a late sweep, sent bytes may still be unread. */
  mostChargedMs: number
}
const DEFAULT_CLOCK: BodyRateClock = { now: () => performance.now(), sweepMs: 500, mostChargedMs: 750 }

/** State of one connection. `request` is the latest; the first sweep after its start resets the other fields. */
interface Watch {
  request: IncomingMessage | null
  seen: IncomingMessage | null
  /** Milliseconds since `request` was first seen. */
  ageMs: number
  bytesRead: number
  creditBytes: number
}

/**
 * Requires 16 KiB a second of each body after its first 5 s, with 1 s of credit; costs a request one assignment.
 * A slower body makes its reader answer 408 (`TOO_SLOW`); without a reader the connection is closed.
 */
export function enforceBodyRate(server: Server, clock: BodyRateClock = DEFAULT_CLOCK): void {
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
  let sweptAt = clock.now()
  const timer = setInterval(() => {
    const at = clock.now()
    const chargedMs = Math.min(at - sweptAt, clock.mostChargedMs)
    sweptAt = at
    for (const [socket, watch] of watches) {
      if (watch.request === null) continue
      if (watch.request.complete) watch.request = watch.seen = null
      else if (isSlow(watch, socket.bytesRead, chargedMs)) cut(watch.request, socket)
    }
  }, clock.sweepMs)
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
      const received = bytesRead - watch.bytesRead
      watch.creditBytes = Math.min(full, watch.creditBytes + received - chargedMs * BYTES_PER_MS)
    }
  }
  watch.bytesRead = bytesRead
  return watch.creditBytes < 0
}

/** A slow client gets this long to read the 408 before its connection is closed. */
const CLOSE_AFTER_MS = 500

function cut(request: IncomingMessage, socket: Socket): void {
  if (!request.emit(TOO_SLOW)) socket.destroy()
  else setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}
