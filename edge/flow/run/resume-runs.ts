// Carries on runs whose wait is over: many at a time, each in a plan of its own, so that one commit takes many (contract section 6).

import { setImmediate } from 'node:timers/promises'
import type { TrackPlan } from '../../domain/plan.ts'
import type { ClaimedWait, RunWaits } from '../../domain/run/run-wait.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { CommitPlan } from '../tracking/commit-plan.ts'
import type { Continued, ContinueRun, Suspended } from './continue-run.ts'
import { failRun, lapseRun, stopRun } from './end-run.ts'
import { type Loaded, type LoadSuspendedDeps, loadSuspended } from './load-suspended.ts'
import type { Wake } from './wake.ts'

export interface ResumeRunsDeps extends LoadSuspendedDeps {
  waits: RunWaits
  continueRun: ContinueRun
  commitPlan: CommitPlan
  clock: Clock
  log: Log
  /** For the metrics: what became of a wait that was due. */
  onWait?: (result: 'done' | 'retried' | 'dead' | 'parked') => void
}

/** Never rejects: what fails is put back, with a growing pause, and fails its run in the end. */
export type ResumeRuns = (claimed: ClaimedWait[]) => Promise<void>

/** Waits that are loaded and planned in one turn of the loop. */
const TURN_WAITS = 50
const MAX_ATTEMPTS = 10
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 5 * 60_000
const ERROR_CHARS = 500

export function createResumeRuns(deps: ResumeRunsDeps): ResumeRuns {
  return async function resumeRuns(claimed) {
    const commits: Promise<void>[] = []
    for (let i = 0; i < claimed.length; i += TURN_WAITS) {
      const turn = claimed.slice(i, i + TURN_WAITS)
      if (i > 0) await setImmediate()
      try {
        const loaded = await loadSuspended(deps, turn)
        await parkPaused(deps, loaded)
        for (const one of loaded) if (!isPaused(one)) commits.push(resumeOne(deps, one))
      } catch (error) {
        commits.push(putBack(deps, turn, error))
      }
    }
    await Promise.all(commits)
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

async function resumeOne(deps: ResumeRunsDeps, loaded: Loaded): Promise<void> {
  try {
    await deps.commitPlan(toPlan(loaded.wait, carryOn(deps, loaded), deps.clock.now()))
    deps.onWait?.('done')
  } catch (error) {
    if (loaded.wait.attempts < MAX_ATTEMPTS || loaded.found === 'gone') await putBack(deps, [loaded.wait], error)
    else await giveUp(deps, loaded.found, error)
  }
}

function carryOn(deps: ResumeRunsDeps, { wait, found }: Loaded): Continued {
  const now = deps.clock.now()
  if (found === 'gone') return stopRun(wait, [], 'cancelled', 'campaign-gone', now)
  if (found.campaign.status === 'archived' && !found.campaign.drains) {
    return stopRun(wait, found.run.trace, 'cancelled', 'archived', now)
  }
  const wake: Wake = { by: 'timer' }
  if (wait.wasParked) return lapseRun(found, () => deps.continueRun(found, wake), now)
  return deps.continueRun(found, wake)
}

function toPlan(wait: ClaimedWait, { continues, messages, gates }: Continued, now: number): TrackPlan {
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
async function giveUp(deps: ResumeRunsDeps, { wait, run, start }: Suspended, error: unknown): Promise<void> {
  const { correlationId } = start
  deps.log.error('A run that could not be carried on has failed.', { error, correlationId, attempt: wait.attempts })
  deps.onWait?.('dead')
  const failed = failRun(wait, run.trace, textOf(error), deps.clock.now())
  await deps.commitPlan(toPlan(wait, failed, deps.clock.now())).catch((cause) => putBack(deps, [wait], cause))
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
}
