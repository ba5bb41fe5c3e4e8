// Continues runs whose wait is over: many at a time, each in its own plan, so that one commit writes many.

import { setImmediate } from 'node:timers/promises'
import type { Suspended } from '../../campaign/compiled.ts'
import { dropRun, type EndRun, GIVEN_UP, waitOn } from '../../campaign/end-run.ts'
import type { Evaluator } from '../../campaign/evaluator.ts'
import type { Continued } from '../../campaign/run.ts'
import type { Core } from '../../domain/core.ts'
import { findReasonToGiveUp, MAX_ATTEMPTS, mayBeRead } from '../../domain/given-up.ts'
import { evaluateMarked, markOfRun, readMarked } from '../../domain/in-hand.ts'
import type { TrackPlan } from '../../domain/plan.ts'
import { createProfileRoom } from '../../domain/profile-room.ts'
import type { ClaimedWait, WaitClaim } from '../../domain/run/run-wait.ts'
import { type SpanSpec, traced } from '../../domain/traces.ts'
import { LARGE_TOGETHER_BYTES, type MayRead } from '../../domain/user.ts'
import { BusyError, isUnavailable } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import { createCallRoom } from './call-room.ts'
import { type Found, findReasons } from './find-reasons.ts'
import { type Loaded, type LoadedRun, loadSuspended } from './load-suspended.ts'

type Taken = Parameters<typeof loadSuspended>[0] &
  Parameters<typeof findReasons>[0] &
  Pick<Core, 'waits' | 'inHand' | 'commitPlan' | 'clock' | 'log' | 'traces'> & {
    continueRun: Evaluator['continueRun']
    endRun: EndRun
    /** Called with the due time (epoch ms) of a wait that was released. */
    scheduleTimers(dueAt: number): void
    /** Receives the result of each due wait, for the metrics. */
    onWait?: (result: 'done' | 'retried' | 'dead' | 'parked') => void
  }

export interface ResumeRuns {
  /**
   * Never rejects: failed waits are postponed with growing pauses, and their runs fail in the end. Enricher calls
   * continue after it resolves.
   */
  resume(claimed: ClaimedWait[]): Promise<void>
  /** Resolves when no call is in progress. */
  settled(): Promise<void>
  /** Lists the waits in progress, including those with calls. */
  underWay(): Iterable<ClaimedWait>
}

/** Number of waits that are loaded together. */
const TURN_WAITS = 50
/** Events of waits that are evaluated and committed together: further ones are read after these have ended. */
const HELD_BYTES = 1024 * 1024
const FIRST_RETRY_MS = 1000
/** When a call without room is tried again: each reads the profile anew. */
const CALL_LATER_MS = { least: 2000, spread: 8000 }
const LONGEST_RETRY_MS = 5 * 60_000
const ERROR_CHARS = 500

export function createResumeRuns(deps: Taken): ResumeRuns {
  const batched = new Set<ClaimedWait>()
  const calls = new Map<ClaimedWait, Promise<void>>()
  const callRoom = createCallRoom()
  const room = createProfileRoom(LARGE_TOGETHER_BYTES)

  /**
   * Calls an endpoint in the background, because it may take long and others must not wait for it.
   * @returns What its turn waits for: that a call without room is put off
   */
  async function callInBackground(found: LoadedRun, call: () => Promise<Found>): Promise<void> {
    const { wait, chars } = found
    const { isTooMuch, end } = callRoom.enter(wait.environmentId, chars)
    if (isTooMuch) {
      const laterMs = CALL_LATER_MS.least + (wait.runId % CALL_LATER_MS.spread)
      await putOff(deps, wait, laterMs)
        .catch((error) => deps.log.error('run wait not put off', { error }))
        .finally(end)
      return
    }
    const done = attempt(deps, wait, found, async () => commitFound(deps, found, await call()))
    calls.set(
      wait,
      done.then(() => {
        calls.delete(wait)
        end()
      }),
    )
  }

  /** @returns those that are to be continued after these, because of their size */
  const resumeTurn = (turn: ClaimedWait[], commits: Promise<void>[]): Promise<ClaimedWait[]> =>
    room.hold(async (mayRead) => {
      let isLarge = false
      const later = await resumeSome(turn, commits, (bytes) => {
        const may = mayRead(bytes)
        isLarge ||= may
        return may
      })
      // Turns run beside each other: what this one has read counts as long as it is in use.
      if (isLarge || later.length > 0) await Promise.all(commits)
      return later
    })

  async function resumeSome(turn: ClaimedWait[], commits: Promise<void>[], mayRead: MayRead): Promise<ClaimedWait[]> {
    for (const wait of turn.filter((one) => !mayBeRead(one))) {
      commits.push(giveUp(deps, wait, undefined, new Error(findReasonToGiveUp(wait))))
    }
    const readable = turn.filter(mayBeRead)
    const read = () => loadSuspended(deps, readable, mayRead)
    const { loaded, later } = await readMarked(deps.inHand, readable.map(markOfRun), read)
    await parkPaused(deps, loaded)
    const active: LoadedRun[] = []
    const endSlice = createTimeSlices()
    for (const one of loaded) {
      const { wait } = one
      const suspended = one.found === 'gone' ? undefined : one.found
      const hopeless = findReasonToGiveUp(wait)
      if (isOver(one)) commits.push(attempt(deps, wait, suspended, () => commit(deps, wait, stopFor(deps, one))))
      else if (one.found === 'gone' || isPaused(one)) continue
      else if (hopeless !== undefined) commits.push(giveUp(deps, wait, suspended, new Error(hopeless)))
      else active.push(one.found)
      await endSlice()
    }
    let heldBytes = 0
    for await (const { found, bytes } of findReasons(deps, active)) {
      // A mark of each alone costs a tenth of a run. What was in hand when a process ended is marked only while it is evaluated.
      const unsuspected = found.filter(({ one }) => one.wait.crashes === 0)
      const end = deps.inHand.begin(unsuspected.map(({ one }) => markOfRun(one.wait)))
      for (const { one, reason } of found) {
        if ('call' in reason) commits.push(callInBackground(one, reason.call))
        else if ('evaluate' in reason) {
          commits.push(attempt(deps, one.wait, one, async () => commitFound(deps, one, await reason.evaluate())))
        } else commits.push(attempt(deps, one.wait, one, () => commitFound(deps, one, reason)))
        await endSlice()
      }
      end()
      heldBytes += bytes
      if (heldBytes < HELD_BYTES) continue
      await Promise.all(commits)
      heldBytes = 0
    }
    return later
  }

  /** Postpones first attempts and tries the others alone, because one wait may have failed all of them. */
  async function retryApart(turn: ClaimedWait[], commits: Promise<void>[], error: unknown): Promise<void> {
    const again = turn.filter((wait) => wait.attempts > 1)
    const first = turn.filter((wait) => wait.attempts === 1)
    if (first.length > 0) await postpone(deps, first, error)
    for (const wait of again) {
      await attempt(deps, wait, undefined, async () => {
        while ((await resumeTurn([wait], commits)).length > 0) await room.whenFree()
      })
    }
  }

  return {
    async resume(claimed) {
      const commits: Promise<void>[] = []
      for (const wait of claimed) batched.add(wait)
      for (let i = 0; i < claimed.length; i += TURN_WAITS) {
        if (i > 0) await setImmediate()
        for (let turn = claimed.slice(i, i + TURN_WAITS); turn.length > 0; ) {
          const now = turn
          turn = await resumeTurn(now, commits).catch(async (error) => {
            await retryApart(now, commits, error)
            return []
          })
          if (turn.length === now.length) await room.whenFree()
        }
      }
      await Promise.all(commits)
      for (const wait of claimed) batched.delete(wait)
    },
    async settled() {
      await Promise.all(calls.values())
    },
    underWay: () => [...batched, ...calls.keys()],
  }
}

function isPaused({ found }: Loaded): boolean {
  return found !== 'gone' && found.campaign.status === 'paused'
}

async function parkPaused(deps: Taken, loaded: Loaded[]): Promise<void> {
  const claims = loaded.filter(isPaused).map(({ wait }) => toClaim(wait))
  if (claims.length > 0) await deps.waits.park(claims, deps.clock.now())
  for (const _ of claims) deps.onWait?.('parked')
}

/** Tries once; a failed wait is postponed, or given up in the end. */
async function attempt(
  deps: Taken,
  wait: ClaimedWait,
  suspended: Suspended | undefined,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await traced(deps.traces, () => spanOf(wait, suspended), run)
  } catch (error) {
    if (error instanceof BusyError) return putOff(deps, wait, error.retryAfterMs)
    if (wait.attempts < MAX_ATTEMPTS || isUnavailable(error)) await postpone(deps, [wait], error)
    else await giveUp(deps, wait, suspended, error)
  }
}

function spanOf({ runId, attempts }: ClaimedWait, suspended: Suspended | undefined): SpanSpec {
  const correlationId = suspended?.start.correlationId
  const attributes = { 'nc.run.id': formatId('run', runId), 'nc.attempts': attempts }
  return { name: 'resume run', attributes, ...(correlationId !== undefined && { correlationId }) }
}

/** Releases a wait for some time; this uses no attempt. */
async function putOff({ waits, clock }: Taken, wait: ClaimedWait, delayMs: number): Promise<void> {
  await waits.release([toClaim(wait)], clock.now() + delayMs, null)
}

/** True when the run cannot continue, whatever its step: its data was deleted, or its campaign is archived. */
function isOver({ found }: Loaded): boolean {
  return found === 'gone' || (found.campaign.status === 'archived' && !found.campaign.drains)
}

function stopFor({ endRun, clock }: Taken, { wait, found }: Loaded): Continued {
  if (found !== 'gone') return endRun.stop(found, { state: 'cancelled', stateReason: 'archived' })
  return dropRun(wait, { state: 'cancelled', stateReason: 'campaign-gone' }, clock.now())
}

async function commitFound(deps: Taken, found: LoadedRun, reason: Found): Promise<void> {
  const { wait } = found
  if (reason.by === 'busy') return putOff(deps, wait, reason.retryAfterMs)
  if (reason.by === 'none') return commit(deps, wait, waitOn(found, reason.checked))
  if (wasPaused(found) && deps.endRun.isTooLate(found)) return commit(deps, wait, deps.endRun.stopLate(found))
  const continued = evaluateMarked(deps.inHand, markOfRun(wait), () => deps.continueRun(found, reason))
  await commit(deps, wait, await continued)
}

/** A node that found the wait during the pause has parked it; for others the end of the pause decides. */
function wasPaused({ wait, campaign }: LoadedRun): boolean {
  return wait.wasParked || (campaign.resumedAt !== null && wait.dueAt <= campaign.resumedAt)
}

async function commit(deps: Taken, wait: ClaimedWait, continued: Continued): Promise<void> {
  const { result } = await deps.commitPlan(toPlan(wait, continued, deps.clock.now()))
  if (result !== 'halted') {
    deps.onWait?.('done')
    return
  }
  // Paused or archived meanwhile: due at once, so that the next attempt parks or ends it.
  const now = deps.clock.now()
  await deps.waits.release([toClaim(wait)], now, null)
  deps.scheduleTimers(now)
}

/** Builds the plan of this run alone. */
export function toPlan(wait: ClaimedWait, { continues, messages, gates }: Continued, now: number): TrackPlan {
  return {
    kind: 'track',
    environmentId: wait.environmentId,
    secretId: null,
    now,
    event: null,
    idempotency: null,
    profile: null,
    runs: [],
    messages,
    jobs: [],
    gates,
    waits: [],
    completes: null,
    continues,
  }
}

async function postpone(deps: Taken, waits: ClaimedWait[], error: unknown): Promise<void> {
  const attempts = Math.max(...waits.map((wait) => wait.attempts))
  deps.log.warn('run waits postponed: attempt failed', { error, count: waits.length, attempt: attempts })
  for (const _ of waits) deps.onWait?.('retried')
  const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
  const claims = waits.map(toClaim)
  // When this fails, too, the lease ends and the waits are due again. An unavailable store uses up no attempt.
  await deps.waits
    .release(claims, deps.clock.now() + pauseMs, isUnavailable(error) ? null : textOf(error))
    .catch((cause) => deps.log.error('run wait not postponed', { error: cause }))
}

/** Fails a run without evaluating it; its trace and the records of its unsent messages contain the reason. Its wait stays. */
async function giveUp(deps: Taken, wait: ClaimedWait, suspended: Suspended | undefined, error: unknown): Promise<void> {
  deps.log.error('run given up', { runId: formatId('run', wait.runId), error, attempt: wait.attempts })
  deps.onWait?.('dead')
  const now = deps.clock.now()
  const givenUp = textOf(error)
  const end = ({ continues, ...failed }: Continued) =>
    deps.commitPlan(toPlan(wait, { ...failed, continues: { ...continues, givenUp, dropsArrivals: false } }, now))
  // Recording the messages may be the cause of the failure: then the run ends without them.
  const endWithoutMessages = () => end(dropRun(wait, GIVEN_UP, now, suspended?.run.trace))
  const ended =
    suspended === undefined
      ? endWithoutMessages()
      : (async () => end(deps.endRun.fail(suspended, givenUp)))().catch(endWithoutMessages)
  await ended.catch((cause) => postpone(deps, [wait], cause))
}

/** Returns the claim alone: the wait may have a large state. */
export const toClaim = ({ environmentId, runId, fence }: ClaimedWait): WaitClaim => ({ environmentId, runId, fence })

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
}
