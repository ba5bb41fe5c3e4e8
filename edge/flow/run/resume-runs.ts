// Carries on runs whose wait is over: many at a time, each in a plan of its own, so that one commit takes many (contract section 6).

import { setImmediate } from 'node:timers/promises'
import type { TrackPlan } from '../../domain/plan.ts'
import type { ClaimedWait, RunWaits } from '../../domain/run/run-wait.ts'
import { isUnavailable } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { CommitPlan } from '../tracking/commit-plan.ts'
import type { Continued, ContinueRun, Suspended } from './continue-run.ts'
import { dropRun, type EndRun, GIVEN_UP, waitOn } from './end-run.ts'
import { type FindWakesDeps, type Found, findWakes } from './find-wakes.ts'
import { type Loaded, type LoadSuspendedDeps, loadSuspended } from './load-suspended.ts'

export interface ResumeRunsDeps extends LoadSuspendedDeps, FindWakesDeps {
  waits: RunWaits
  continueRun: ContinueRun
  endRun: EndRun
  commitPlan: CommitPlan
  /** A wait is due then. */
  wakeTimers(dueAt: number): void
  clock: Clock
  log: Log
  /** For the metrics: what became of a wait that was due. */
  onWait?: (result: 'done' | 'retried' | 'dead' | 'parked') => void
}

export interface ResumeRuns {
  /** Never rejects: what fails is put back, with a growing pause, and fails its run in the end. Calls of enrichers go on behind it. */
  resume(claimed: ClaimedWait[]): Promise<void>
  /** Resolves when no call is under way. */
  settled(): Promise<void>
  /** The waits that are being carried on, calls included. */
  underWay(): Iterable<ClaimedWait>
}

/** Waits that are loaded and planned in one turn of the loop. */
const TURN_WAITS = 50
const MAX_ATTEMPTS = 10
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 5 * 60_000
const ERROR_CHARS = 500

export function createResumeRuns(deps: ResumeRunsDeps): ResumeRuns {
  const batched = new Set<ClaimedWait>()
  const calls = new Map<ClaimedWait, Promise<void>>()

  /** An endpoint may take long: nobody behind it waits for that. */
  function callBehind(found: Suspended, call: () => Promise<Found>): void {
    const done = attempt(deps, found.wait, found, async () => commitFound(deps, found, await call()))
    calls.set(
      found.wait,
      done.then(() => {
        calls.delete(found.wait)
      }),
    )
  }

  async function resumeTurn(turn: ClaimedWait[], commits: Promise<void>[]): Promise<void> {
    const loaded = await loadSuspended(deps, turn)
    await parkPaused(deps, loaded)
    const alive: Suspended[] = []
    for (const one of loaded) {
      const { wait } = one
      const suspended = one.found === 'gone' ? undefined : one.found
      if (isOver(one)) commits.push(attempt(deps, wait, suspended, () => commit(deps, wait, stopFor(deps, one))))
      else if (one.found !== 'gone' && !isPaused(one)) alive.push(one.found)
    }
    const found = await findWakes(deps, alive)
    for (const [place, one] of alive.entries()) {
      const wake = found[place] ?? { by: 'timer' as const }
      if ('call' in wake) callBehind(one, wake.call)
      else commits.push(attempt(deps, one.wait, one, () => commitFound(deps, one, wake)))
    }
  }

  /** One of them may fail them all: who has been put back before is tried alone. */
  async function sift(turn: ClaimedWait[], commits: Promise<void>[], error: unknown): Promise<void> {
    const again = turn.filter((wait) => wait.attempts > 1)
    const first = turn.filter((wait) => wait.attempts === 1)
    if (first.length > 0) await putBack(deps, first, error)
    for (const wait of again) {
      await attempt(deps, wait, undefined, () => resumeTurn([wait], commits))
    }
  }

  return {
    async resume(claimed) {
      const commits: Promise<void>[] = []
      for (const wait of claimed) batched.add(wait)
      for (let i = 0; i < claimed.length; i += TURN_WAITS) {
        const turn = claimed.slice(i, i + TURN_WAITS)
        if (i > 0) await setImmediate()
        await resumeTurn(turn, commits).catch((error) => sift(turn, commits, error))
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

async function parkPaused(deps: ResumeRunsDeps, loaded: Loaded[]): Promise<void> {
  const claims = loaded.filter(isPaused).map(({ wait: { runId, fence } }) => ({ runId, fence }))
  if (claims.length > 0) await deps.waits.park(claims, deps.clock.now())
  for (const _ of claims) deps.onWait?.('parked')
}

/** One try; what fails is put back, or given up in the end. */
async function attempt(
  deps: ResumeRunsDeps,
  wait: ClaimedWait,
  suspended: Suspended | undefined,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run()
  } catch (error) {
    // A store that takes nothing for hours ends no run.
    if (wait.attempts < MAX_ATTEMPTS || isUnavailable(error)) await putBack(deps, [wait], error)
    else await giveUp(deps, wait, suspended, error)
  }
}

/** Whatever its step says: nothing is left of the run, or its campaign is archived. */
function isOver({ found }: Loaded): boolean {
  return found === 'gone' || (found.campaign.status === 'archived' && !found.campaign.drains)
}

function stopFor({ endRun, clock }: ResumeRunsDeps, { wait, found }: Loaded): Continued {
  if (found !== 'gone') return endRun.stop(found, { state: 'cancelled', stateReason: 'archived' })
  return dropRun(wait, { state: 'cancelled', stateReason: 'campaign-gone' }, clock.now())
}

async function commitFound(deps: ResumeRunsDeps, found: Suspended, wake: Found): Promise<void> {
  const { wait } = found
  if (wake.by === 'busy') {
    const at = deps.clock.now() + wake.retryAfterMs
    await deps.waits.release([{ runId: wait.runId, fence: wait.fence }], at, null)
    return
  }
  if (wake.by === 'none') return commit(deps, wait, waitOn(found, wake.looked))
  const goOn = () => deps.continueRun(found, wake)
  await commit(deps, wait, wait.wasParked ? deps.endRun.lapse(found, goOn) : goOn())
}

async function commit(deps: ResumeRunsDeps, wait: ClaimedWait, continued: Continued): Promise<void> {
  const { result } = await deps.commitPlan(toPlan(wait, continued, deps.clock.now()))
  if (result !== 'halted') {
    deps.onWait?.('done')
    return
  }
  // Paused or archived meanwhile: looked at again at once, it is laid aside or ends.
  const now = deps.clock.now()
  await deps.waits.release([{ runId: wait.runId, fence: wait.fence }], now, null)
  deps.wakeTimers(now)
}

/** A plan of this run alone. */
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

async function putBack(deps: ResumeRunsDeps, waits: ClaimedWait[], error: unknown): Promise<void> {
  const attempts = Math.max(...waits.map((wait) => wait.attempts))
  deps.log.warn('A run could not be carried on.', { error, count: waits.length, attempt: attempts })
  for (const _ of waits) deps.onWait?.('retried')
  const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
  const claims = waits.map(({ runId, fence }) => ({ runId, fence }))
  // When even that fails the lease runs out, and the waits come back by themselves.
  await deps.waits
    .release(claims, deps.clock.now() + pauseMs, textOf(error))
    .catch((cause) => deps.log.error('A wait could not be put back.', { error: cause }))
}

/** It had all its attempts: the run fails, and its trace and the records of what it would have sent say why. */
async function giveUp(
  deps: ResumeRunsDeps,
  wait: ClaimedWait,
  suspended: Suspended | undefined,
  error: unknown,
): Promise<void> {
  deps.log.error('A run that could not be carried on has failed.', { error, attempt: wait.attempts })
  deps.onWait?.('dead')
  const now = deps.clock.now()
  const end = (failed: Continued) => deps.commitPlan(toPlan(wait, failed, now))
  // What cannot be recorded may be the very reason: then the run ends without.
  const bare = () => end(dropRun(wait, GIVEN_UP, now, suspended?.run.trace))
  const ended =
    suspended === undefined ? bare() : (async () => end(deps.endRun.fail(suspended, textOf(error))))().catch(bare)
  await ended.catch((cause) => putBack(deps, [wait], cause))
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
}
