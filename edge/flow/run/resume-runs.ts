// Carries on runs whose wait is over: many at a time, each in a plan of its own, so that one commit takes many (contract section 6).

import { setImmediate } from 'node:timers/promises'
import type { TrackPlan } from '../../domain/plan.ts'
import type { ClaimedWait, RunWaits } from '../../domain/run/run-wait.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { CommitPlan } from '../tracking/commit-plan.ts'
import type { Continued, ContinueRun, Suspended } from './continue-run.ts'
import { failRun, lapseRun, stopRun, waitOn } from './end-run.ts'
import { type FindWakesDeps, type Found, findWakes } from './find-wakes.ts'
import { type Loaded, type LoadSuspendedDeps, loadSuspended } from './load-suspended.ts'

export interface ResumeRunsDeps extends LoadSuspendedDeps, FindWakesDeps {
  waits: RunWaits
  continueRun: ContinueRun
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
    const done = attempt(deps, found, async () => commitFound(deps, found, await call()))
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
      const stopped = findStop(one, deps.clock.now())
      if (stopped !== undefined) commits.push(attempt(deps, one, () => commit(deps, one.wait, stopped)))
      else if (one.found !== 'gone' && !isPaused(one)) alive.push(one.found)
    }
    const found = await findWakes(deps, alive)
    for (const [place, one] of alive.entries()) {
      const wake = found[place] ?? { by: 'timer' as const }
      if ('call' in wake) callBehind(one, wake.call)
      else commits.push(attempt(deps, one, () => commitFound(deps, one, wake)))
    }
  }

  return {
    async resume(claimed) {
      const commits: Promise<void>[] = []
      for (const wait of claimed) batched.add(wait)
      for (let i = 0; i < claimed.length; i += TURN_WAITS) {
        const turn = claimed.slice(i, i + TURN_WAITS)
        if (i > 0) await setImmediate()
        await resumeTurn(turn, commits).catch((error) => putBack(deps, turn, error))
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
  { wait, ...rest }: { wait: ClaimedWait },
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (wait.attempts < MAX_ATTEMPTS) await putBack(deps, [wait], error)
    else await giveUp(deps, wait, traceIn(rest), error)
  }
}

function traceIn(rest: object): TraceStep[] {
  return 'run' in rest ? (rest as Suspended).run.trace : []
}

/** What ends a run whatever its step says: nothing is left of it, or its campaign is archived. */
function findStop({ wait, found }: Loaded, now: number): Continued | undefined {
  if (found === 'gone') return stopRun(wait, [], 'cancelled', 'campaign-gone', now)
  const { status, drains } = found.campaign
  return status === 'archived' && !drains ? stopRun(wait, found.run.trace, 'cancelled', 'archived', now) : undefined
}

async function commitFound(deps: ResumeRunsDeps, found: Suspended, wake: Found): Promise<void> {
  const { wait } = found
  const now = deps.clock.now()
  if (wake.by === 'busy') {
    await deps.waits.release([{ runId: wait.runId, fence: wait.fence }], now + wake.retryAfterMs, null)
    return
  }
  if (wake.by === 'none') return commit(deps, wait, waitOn(found, wake.looked))
  const goOn = () => deps.continueRun(found, wake)
  await commit(deps, wait, wait.wasParked ? lapseRun(found, goOn, now) : goOn())
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

/** It had all its attempts: the run fails, and its trace says why. */
async function giveUp(deps: ResumeRunsDeps, wait: ClaimedWait, trace: TraceStep[], error: unknown): Promise<void> {
  deps.log.error('A run that could not be carried on has failed.', { error, attempt: wait.attempts })
  deps.onWait?.('dead')
  const failed = failRun(wait, trace, textOf(error), deps.clock.now())
  await deps.commitPlan(toPlan(wait, failed, deps.clock.now())).catch((cause) => putBack(deps, [wait], cause))
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
}
