// Limits the time of a request's headers and body. Time in which this process did not run does not count.

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { LIMITS } from '../../../contract/limits.ts'
import { startRunningTime } from '../../lib/running-time.ts'
import { TOO_SLOW } from '../kernel/body.ts'

const HEADERS_CHECK_MS = 100

/**
 * Extends `headersTimeout` of the server by the time in which this process did not run, and so read no headers.
 * Node measures wall-clock time, and reads `headersTimeout` at each check of its connections.
 */
export function extendHeadersTimeout(server: Server): void {
  const allowedMs = server.headersTimeout
  const running = startRunningTime(HEADERS_CHECK_MS)
  const samples: { at: number; ranAt: number }[] = []
  /** @returns Wall-clock milliseconds in which this process ran for `allowedMs`. */
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
  /** Milliseconds that a sweep charges at most, because after a late sweep sent bytes may still be unread. */
  maxChargedMs: number
}
const DEFAULT_CLOCK: BodyRateClock = { now: () => performance.now(), sweepMs: 500, maxChargedMs: 750 }

/** State of one connection. `request` is the latest; the first sweep after its start resets the other fields. */
interface BodyProgress {
  request: IncomingMessage | null
  seen: IncomingMessage | null
  /** Milliseconds since `request` was first seen. */
  ageMs: number
  bytesRead: number
  creditBytes: number
}

/**
 * Requires 16 KiB a second of each body after its first 5 s, with 1 s of credit.
 * A slower body is answered 408 (`TOO_SLOW`); when nothing reads the body, the connection is destroyed.
 */
export function enforceBodyRate(server: Server, clock: BodyRateClock = DEFAULT_CLOCK): void {
  const progressBySocket = new Map<Socket, BodyProgress>()
  server.on('connection', (socket: Socket) => {
    progressBySocket.set(socket, { request: null, seen: null, ageMs: 0, bytesRead: 0, creditBytes: 0 })
    socket.once('close', () => progressBySocket.delete(socket))
  })
  server.on('request', (request) => {
    const progress = progressBySocket.get(request.socket)
    if (progress !== undefined) progress.request = request
  })
  server.on('upgrade', (request) => progressBySocket.delete(request.socket))
  let sweptAt = clock.now()
  const timer = setInterval(() => {
    const at = clock.now()
    const chargedMs = Math.min(at - sweptAt, clock.maxChargedMs)
    sweptAt = at
    for (const [socket, progress] of progressBySocket) {
      if (progress.request === null) continue
      if (progress.request.complete) progress.request = progress.seen = null
      else if (isSlow(progress, socket.bytesRead, chargedMs)) rejectBody(progress.request, socket)
    }
  }, clock.sweepMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

function isSlow(progress: BodyProgress, bytesRead: number, chargedMs: number): boolean {
  const full = CREDIT_MS * BYTES_PER_MS
  if (progress.seen !== progress.request) {
    progress.seen = progress.request
    progress.ageMs = 0
    progress.creditBytes = full
  } else {
    progress.ageMs += chargedMs
    if (progress.ageMs > LIMITS.bodyGraceMs) {
      const received = bytesRead - progress.bytesRead
      progress.creditBytes = Math.min(full, progress.creditBytes + received - chargedMs * BYTES_PER_MS)
    }
  }
  progress.bytesRead = bytesRead
  return progress.creditBytes < 0
}

/** Milliseconds in which a slow client can read the 408 before its connection is destroyed. */
const CLOSE_AFTER_MS = 500

function rejectBody(request: IncomingMessage, socket: Socket): void {
  if (!request.emit(TOO_SLOW)) socket.destroy()
  else setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}
