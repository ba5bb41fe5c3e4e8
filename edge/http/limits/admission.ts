// How much may be under way at once, and who is turned away when it is too much: tracked events by environment, and the bytes of bodies (house section 3).

import { performance } from 'node:perf_hooks'
import { ApiError } from '../../lib/api-error.ts'
import { createTurns } from './turns.ts'

export interface AdmissionLimits {
  /** Tracked events without an answer. */
  events: number
  /** Bytes of bodies that are being read, or whose request has no answer yet, beyond the first `freeBytes` of each. */
  bodyBytes: number
  /** Of each body; so small events pass while large ones wait for room. */
  freeBytes: number
  /** The oldest plan has waited for its commit that long: nothing more is taken. */
  oldestMs: number
  /** So late does a timer of this process fire, `lagSamples` times in a row. */
  lagMs: number
  lagSamples: number
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  events: 20_000,
  bodyBytes: 64 * 1024 * 1024,
  freeBytes: 16 * 1024,
  oldestMs: 5000,
  // A test machine, or one large batch, stops the loop for 100 ms and more: that alone is no overload.
  lagMs: 500,
  lagSamples: 3,
}

export interface Admission {
  /** Asked before anything of a tracking request is parsed: whether it would be turned away anyhow. */
  isShut(authorization: string | undefined): boolean
  /**
   * Takes room for events of an environment; the answer gives it back. Throws `service/unavailable` when there is none:
   * one environment gets at most its share while others are there, or may come.
   */
  hold(environmentId: number, events: number, authorization: string | undefined): () => void
  /** Waits for the environment's turn on the loop; undefined: it is now. */
  turn(environmentId: number, events: number): Promise<void> | undefined
  /** False when there is no room for so many bytes more. */
  takeBytes(bytes: number): boolean
  giveBytes(bytes: number): void
  /** Of each body, without asking. */
  freeBytes: number
  /** Begins to look at the loop and the commit queue. */
  start(): void
  stop(): void
  /** Events and bytes under way. */
  load(): { events: number; bodyBytes: number }
}

export interface AdmissionDeps {
  backlog(): { oldestMs: number }
  limits?: Partial<AdmissionLimits> | undefined
  /** Milliseconds of a clock that never steps back. For tests. */
  monotonicNow?: () => number
}

const SAMPLE_MS = 50
const MOST_REMEMBERED = 1000
const ENTER_MS = 100

/** There is no room for the rest of a body: it is not read on. */
export function noRoomForBody(): ApiError {
  return new ApiError('service/unavailable', {
    message: 'Too many large bodies are on their way: try again in a moment.',
    reason: 'bodies',
    retryAfterSeconds: 1,
  })
}

/** Too much is under way; the caller comes back in a second. */
export function overloaded(): ApiError {
  return new ApiError('service/unavailable', {
    message: 'The service is busy: try again in a moment.',
    reason: 'overloaded',
    retryAfterSeconds: 1,
  })
}

interface Refused {
  environmentId: number
  /** That the request asked for. */
  events: number
  /** Of requests that the door has let in since, and that have not asked for room yet. */
  entering: number
  since: number
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const limits = { ...ADMISSION_LIMITS, ...deps.limits }
  const now = deps.monotonicNow ?? (() => performance.now())
  const watch = createLoadWatch(deps, limits)
  /** Events under way by environment. */
  const held = new Map<number, number>()
  /** Who was turned away last: by the header alone, until there is room again, their next request goes the same way. */
  const refused = new Map<string, Refused>()
  const turns = createTurns()
  let events = 0
  let bodyBytes = 0

  /** Up to half of all is for whoever comes; beyond it each has an equal share, and one more share stays free. */
  function fits(environmentId: number, count: number): boolean {
    if (events + count > limits.events) return false
    if (events + count <= limits.events / 2) return true
    const mine = held.get(environmentId) ?? 0
    const sharers = held.size + (mine === 0 ? 2 : 1)
    return mine + count <= limits.events / sharers
  }

  function remember(authorization: string | undefined, environmentId: number, count: number): void {
    if (authorization === undefined) return
    if (refused.size >= MOST_REMEMBERED) refused.clear()
    refused.set(authorization, { environmentId, events: count, entering: 0, since: now() })
  }

  function release(environmentId: number, count: number): void {
    events -= count
    const left = (held.get(environmentId) ?? 0) - count
    if (left > 0) held.set(environmentId, left)
    else held.delete(environmentId)
    if (events <= limits.events / 2) refused.clear()
  }

  return {
    isShut(authorization) {
      if (watch.isOverloaded() || events >= limits.events) return true
      if (refused.size === 0 || authorization === undefined) return false
      const last = refused.get(authorization)
      if (last === undefined) return false
      // Some never ask: their body does not come, or is no batch.
      if (now() - last.since >= ENTER_MS) Object.assign(last, { entering: 0, since: now() })
      if (!fits(last.environmentId, last.entering + last.events)) return true
      last.entering += last.events
      return false
    },
    turn: turns.take,
    hold(environmentId, count, authorization) {
      const last = refused.size === 0 || authorization === undefined ? undefined : refused.get(authorization)
      if (last !== undefined) last.entering = Math.max(0, last.entering - count)
      if (!fits(environmentId, count)) {
        remember(authorization, environmentId, count)
        throw overloaded()
      }
      events += count
      held.set(environmentId, (held.get(environmentId) ?? 0) + count)
      let isHeld = true
      return () => {
        if (isHeld) release(environmentId, count)
        isHeld = false
      }
    },
    takeBytes(bytes) {
      if (bodyBytes + bytes > limits.bodyBytes) return false
      bodyBytes += bytes
      return true
    },
    giveBytes(bytes) {
      bodyBytes -= bytes
    },
    freeBytes: limits.freeBytes,
    start: watch.start,
    stop: watch.stop,
    load: () => ({ events, bodyBytes }),
  }
}

/** Looks at the lag of the loop and the age of the commit queue, twenty times a second. */
function createLoadWatch({ backlog, monotonicNow = () => performance.now() }: AdmissionDeps, limits: AdmissionLimits) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0
  let late = 0
  let isStalled = false

  function look(): void {
    const now = monotonicNow()
    late = now - dueAt >= limits.lagMs ? late + 1 : 0
    isStalled = backlog().oldestMs >= limits.oldestMs
    dueAt = now + SAMPLE_MS
  }

  return {
    isOverloaded: () => isStalled || late >= limits.lagSamples,
    start() {
      dueAt = monotonicNow() + SAMPLE_MS
      timer ??= setInterval(look, SAMPLE_MS).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
