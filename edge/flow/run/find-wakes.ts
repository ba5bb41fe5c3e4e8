// Finds what ended each of many waits: time, an event, an enricher's answer, what a digest gathered (contract section 6).

import { callIdOf, type Enrichers } from '../../domain/enricher.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import type { Arrival, Arrivals } from '../../domain/run/arrival.ts'
import type { Digests } from '../../domain/run/digests.ts'
import { tellOperands } from '../../domain/run/trace-inputs.ts'
import type { CompiledEnrichStep, CompiledWaitForStep } from '../../domain/steps/compiled.ts'
import { findStep } from '../../domain/steps/walk.ts'
import { type Clock, toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import type { Suspended } from './continue-run.ts'
import { gatherEvents } from './gates/gathered-events.ts'
import type { Wake } from './wake.ts'

export interface FindWakesDeps {
  arrivals: Pick<Arrivals, 'find'>
  digests: Digests
  enrichers: Pick<Enrichers, 'call'>
  clock: Clock
}

/** `none`: no event that came ends it. `busy`: to be asked again after so long. */
export type Found = Wake | { by: 'none'; looked: Json[] } | { by: 'busy'; retryAfterMs: number }

/** What is known at once, or has to be asked for: that may take long. */
export type FoundOrCall = Found | { call: () => Promise<Found> }

/** In the order of `suspended`. */
export async function findWakes(deps: FindWakesDeps, suspended: Suspended[]): Promise<FoundOrCall[]> {
  const awaiting = suspended.filter(({ wait }) => wait.awaits !== null).map(({ wait }) => wait.runId)
  const arrivals = awaiting.length === 0 ? new Map<number, Arrival[]>() : await deps.arrivals.find(awaiting)
  const gathered = await gatherEvents(deps.digests, suspended)
  return suspended.map((one): FoundOrCall => {
    const events = gathered.get(one.wait.runId)
    if (events !== undefined) return { by: 'events', events }
    const step = findStep(one.start.campaign.steps, one.wait.stepId)
    if (step?.type === 'waitFor') return judge(one, step, arrivals.get(one.wait.runId) ?? [], deps.clock.now())
    if (step?.type === 'enrich') return { call: () => ask(deps, one, step) }
    return { by: 'timer' }
  })
}

/** The first of the events for which the condition holds; else it waits on, until its time. */
function judge({ wait, start }: Suspended, step: CompiledWaitForStep, arrivals: Arrival[], now: number): Found {
  const { event, user } = start
  let told = ''
  const looked: Json[] = []
  for (const arrival of arrivals) {
    const { name, properties, occurredAt, eventId } = arrival
    const awaited = { name, userId: user.id, properties, occurredAt: toIso(occurredAt) }
    const scope = { event, user, enriched: wait.course.enriched ?? {}, awaited }
    const verdict = step.where?.evaluate(scope)
    const holds = verdict === undefined || verdict.holds
    const arrived = formatId('event', eventId)
    looked.push({ eventId: arrived, holds, ...(step.where !== null && tellOperands([step.where], scope)) })
    if (holds) return { by: 'event', awaited, eventId: arrived, looked }
    told = `${arrived}: ${verdict.reason}`
  }
  if (Math.max(now, wait.claimedAt) >= wait.dueAt) return { by: 'timer', tried: told, looked }
  return { by: 'none', looked }
}

/** At least once, always with the same `webhook-id`. */
async function ask({ enrichers }: FindWakesDeps, { wait, start }: Suspended, step: CompiledEnrichStep): Promise<Found> {
  const { environment, user, event, correlationId } = start
  const result = await enrichers.call({
    environmentId: environment.id,
    name: step.enricher,
    params: (wait.course.note ?? {}) as JsonObject,
    user,
    event,
    callId: callIdOf(wait.runId, step.id),
    correlationId,
  })
  if (!result.ok && result.retryAfterMs !== undefined) return { by: 'busy', retryAfterMs: result.retryAfterMs }
  return { by: 'enricher', result }
}
