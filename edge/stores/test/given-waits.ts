// Provides the store suites with runs that wait, and with plans that continue them.

import type { TrackPlan } from '../../domain/plan.ts'
import type { NewWait, WaitClaim } from '../../domain/run/run-wait.ts'
import { type Given, trackPlan, write } from './given.ts'

/** Returns a wait that is due now, unless the options change it. */
export function waitOf(given: Given, options: Partial<NewWait> = {}): NewWait {
  const names = { runId: given.id(), campaignId: 1, userId: 'u1', number: 1, stepId: 'pause' }
  return { ...names, dueAt: given.now(), awaits: null, runState: '{"branches":[]}', ...options }
}

/** Writes runs that begin these waits, by one event. */
export async function begin(
  given: Given,
  environmentId: number,
  waits: NewWait[],
  properties: object = {},
): Promise<void> {
  const plan = trackPlan(given, { environmentId, userIds: [...new Set(waits.map((wait) => wait.userId))] })
  const [run] = plan.runs
  if (run === undefined) throw new Error('There are no waits.')
  const runs = waits.map(({ runId, campaignId, userId }) => {
    return { ...run, id: runId, campaignId, userId, state: 'waiting' as const, endedAt: null }
  })
  const event = plan.event && { ...plan.event, properties: JSON.stringify(properties) }
  await write(given, { ...plan, event, messages: [], runs, waits })
}

/** Returns the plan that continues the run of a claimed wait to its next wait, or ends it. */
export function continuation(
  given: Given,
  environmentId: number,
  from: WaitClaim | undefined,
  next: NewWait | null,
): TrackPlan {
  const state = next === null ? ('completed' as const) : ('waiting' as const)
  const endedAt = next === null ? given.now() : null
  const rest = { branch: null, stateReason: null, trace: '[]', dropsArrivals: true }
  const continues = { claim: claimOf(from), state, endedAt, next, ...rest }
  return { ...trackPlan(given, { environmentId }), event: null, continues }
}

/** Returns the claim of a wait; an invalid claim for undefined. */
export function claimOf(wait: WaitClaim | undefined): WaitClaim {
  const { environmentId = 0, runId = 0, fence = -2 } = wait ?? {}
  return { environmentId, runId, fence }
}
