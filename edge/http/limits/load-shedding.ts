// Limits the tracked events in progress per environment and the bytes of bodies, and rejects requests beyond the limits.

import { performance } from 'node:perf_hooks'
import { ApiError } from '../../lib/api-error.ts'
import { createFairScheduler, type FairScheduler } from './fair-scheduler.ts'

export interface LoadLimits {
  /** Largest number of tracked events without an answer. */
  events: number
  /** Largest sum of the weights of unanswered bodies (`body-weight.ts`), beyond the first `freeBytes` of each. */
  bodyBytes: number
  /** Bytes of each body that are not counted, so that small events are accepted while large bodies are rejected. */
  freeBytes: number
  /** All tracking is rejected once the oldest plan has waited this long (milliseconds) for its commit. */
  oldestMs: number
  /** All tracking is rejected once a timer fires this late (milliseconds), `lagSamples` times in a row. */
  lagMs: number
  lagSamples: number
}

export const LOAD_LIMITS: LoadLimits = {
  events: 20_000,
  bodyBytes: 64 * 1024 * 1024,
  freeBytes: 16 * 1024,
  oldestMs: 5000,
  // One large batch blocks the event loop for 100 ms and more, which is not yet overload.
  lagMs: 500,
  lagSamples: 3,
}

export interface LoadShedding {
  /** @returns Whether a tracking request would be rejected in any case; called before its body is read. */
  shouldReject(authorization: string | undefined): boolean
  /**
   * Reserves capacity for events. One environment gets at most its share, so that others can become active.
   * @returns A function that releases the capacity.
   * @throws ApiError `service/unavailable` without capacity.
   */
  reserveEvents(environmentId: number, events: number, authorization: string | undefined): () => void
  /** Waits for the environment's turn on the event loop; undefined when the caller may continue at once. */
  waitTurn: FairScheduler['waitTurn']
  /** @returns False when the limit of body bytes is reached. */
  reserveBytes(bytes: number): boolean
  releaseBytes(bytes: number): void
  /** Bytes of each body that need no reservation. */
  freeBytes: number
  /** Begins to sample the event loop and the commit queue. */
  start(): void
  stop(): void
  /** @returns Events and bytes in progress. */
  load(): { events: number; bodyBytes: number }
}

export interface LoadSheddingDeps {
  /** @returns The age of the oldest plan that waits for its commit. */
  backlog(): { oldestMs: number }
  limits?: Partial<LoadLimits> | undefined
  /** Milliseconds; never steps back. For tests. */
  monotonicNow?: () => number
}

const SAMPLE_MS = 50
const MAX_REJECTED = 1000
const PENDING_MS = 100

/** @returns The error of a body beyond the budget of all bodies; the rest of the body is not read. */
export function bodyBudgetExceeded(): ApiError {
  return new ApiError('service/unavailable', {
    message: 'Too many large bodies are in progress: try again in a moment.',
    reason: 'bodies',
    retryAfterSeconds: 1,
  })
}

/** @returns The error under overload, after which the caller retries in a second. */
export function overloaded(): ApiError {
  return new ApiError('service/unavailable', {
    message: 'The service is busy: try again in a moment.',
    reason: 'overloaded',
    retryAfterSeconds: 1,
  })
}

interface Rejected {
  environmentId: number
  /** Events of the rejected request. */
  events: number
  /** Expected events of later requests that `shouldReject` has accepted and that have reserved nothing yet. */
  pending: number
  since: number
}

/** @returns The limits; overload is detected only after `start`. */
export function createLoadShedding(deps: LoadSheddingDeps): LoadShedding {
  const limits = { ...LOAD_LIMITS, ...deps.limits }
  const now = deps.monotonicNow ?? (() => performance.now())
  const monitor = createOverloadMonitor(deps, limits)
  /** Events in progress by environment. */
  const inProgress = new Map<number, number>()
  /** Last rejection by `Authorization` header. Until capacity is free again, requests are rejected by the header alone. */
  const rejected = new Map<string, Rejected>()
  const scheduler = createFairScheduler()
  let events = 0
  let bodyBytes = 0

  /** Half of the capacity is first come, first served. Beyond it environments have equal shares, and one share stays free. */
  function fits(environmentId: number, count: number): boolean {
    if (events + count > limits.events) return false
    if (events + count <= limits.events / 2) return true
    const own = inProgress.get(environmentId) ?? 0
    const shares = inProgress.size + (own === 0 ? 2 : 1)
    return own + count <= limits.events / shares
  }

  function recordRejection(authorization: string | undefined, environmentId: number, count: number): void {
    if (authorization === undefined) return
    if (rejected.size >= MAX_REJECTED) rejected.clear()
    rejected.set(authorization, { environmentId, events: count, pending: 0, since: now() })
  }

  function release(environmentId: number, count: number): void {
    events -= count
    const left = (inProgress.get(environmentId) ?? 0) - count
    if (left > 0) inProgress.set(environmentId, left)
    else inProgress.delete(environmentId)
    if (events <= limits.events / 2) rejected.clear()
  }

  return {
    shouldReject(authorization) {
      if (monitor.isOverloaded() || events >= limits.events) return true
      if (rejected.size === 0 || authorization === undefined) return false
      const last = rejected.get(authorization)
      if (last === undefined) return false
      // Some accepted requests never reserve events: their body does not arrive, or is no batch.
      if (now() - last.since >= PENDING_MS) Object.assign(last, { pending: 0, since: now() })
      if (!fits(last.environmentId, last.pending + last.events)) return true
      last.pending += last.events
      return false
    },
    waitTurn: scheduler.waitTurn,
    reserveEvents(environmentId, count, authorization) {
      const last = rejected.size === 0 || authorization === undefined ? undefined : rejected.get(authorization)
      if (last !== undefined) last.pending = Math.max(0, last.pending - count)
      if (!fits(environmentId, count)) {
        recordRejection(authorization, environmentId, count)
        throw overloaded()
      }
      events += count
      inProgress.set(environmentId, (inProgress.get(environmentId) ?? 0) + count)
      let isReserved = true
      return () => {
        if (isReserved) release(environmentId, count)
        isReserved = false
      }
    },
    reserveBytes(bytes) {
      if (bodyBytes + bytes > limits.bodyBytes) return false
      bodyBytes += bytes
      return true
    },
    releaseBytes(bytes) {
      bodyBytes -= bytes
    },
    freeBytes: limits.freeBytes,
    start: monitor.start,
    stop: monitor.stop,
    load: () => ({ events, bodyBytes }),
  }
}

/** Samples the lag of the event loop and the age of the commit queue, twenty times a second. */
function createOverloadMonitor(
  { backlog, monotonicNow = () => performance.now() }: LoadSheddingDeps,
  limits: LoadLimits,
) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0
  let lateSamples = 0
  let isStalled = false

  function sample(): void {
    const now = monotonicNow()
    lateSamples = now - dueAt >= limits.lagMs ? lateSamples + 1 : 0
    isStalled = backlog().oldestMs >= limits.oldestMs
    dueAt = now + SAMPLE_MS
  }

  return {
    isOverloaded: () => isStalled || lateSamples >= limits.lagSamples,
    start() {
      dueAt = monotonicNow() + SAMPLE_MS
      timer ??= setInterval(sample, SAMPLE_MS).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
