// Finds the reason that ended each of many waits: time, an event, an enricher's answer, a digest's events.

import type { NotYet, ResumeReason, Suspended } from '../../campaign/compiled.ts'
import type { Evaluator, Later } from '../../campaign/evaluator.ts'
import { findStep } from '../../campaign/walk.ts'
import { callIdOf, type Enrichers } from '../../domain/enricher.ts'
import { evaluateMarked, type InHand } from '../../domain/in-hand.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import type { Arrival, Arrivals } from '../../domain/run/arrival.ts'
import type { Digests, GatheredEvent } from '../../domain/run/digests.ts'
import { toIso } from '../../lib/clock.ts'

export interface FindReasonsDeps {
  judge: Evaluator['judge']
  arrivals: Pick<Arrivals, 'find'>
  digests: Digests
  enrichers: Pick<Enrichers, 'call'>
  inHand: InHand
}

/** `busy`: to be repeated after this time. */
export type Found = ResumeReason | NotYet | { by: 'busy'; retryAfterMs: number }

/** A known reason, one that is evaluated, or a call that may take long. */
export type FoundOrCall = Found | { evaluate: () => Later<Found> } | { call: () => Promise<Found> }

/** Returns reasons in the order of `suspended`, with a few queries for all of them. */
export async function findReasons(deps: FindReasonsDeps, suspended: Suspended[]): Promise<FoundOrCall[]> {
  const awaiting = suspended.filter(({ wait }) => wait.awaits !== null).map(({ wait }) => wait.runId)
  const arrivals = awaiting.length === 0 ? new Map<number, Arrival[]>() : await deps.arrivals.find(awaiting)
  const gathered = await gatherEvents(deps.digests, suspended)
  return suspended.map((one) => findReason(deps, one, arrivals, gathered))
}

function findReason(
  deps: FindReasonsDeps,
  one: Suspended,
  arrivals: ReadonlyMap<number, Arrival[]>,
  gathered: ReadonlyMap<number, GatheredEvent[]>,
): FoundOrCall {
  const { runId } = one.wait
  const end = endOf(one)
  switch (end?.by) {
    case 'events':
      return { by: 'events', events: (gathered.get(runId) ?? []).map((event) => toScope(event, one.start.user.id)) }
    case 'event': {
      const judge = () => deps.judge(one, arrivals.get(runId) ?? [])
      return { evaluate: () => evaluateMarked(deps.inHand, { kind: 'run', id: runId }, judge) }
    }
    case 'enricher':
      return { call: () => ask(deps, one, end.enricher) }
    default:
      return { by: 'timer' }
  }
}

/** Undefined also for a step that has not run yet. */
function endOf({ wait, start }: Suspended) {
  return wait.runState.isPostponed ? undefined : findStep(start.campaign.steps, wait.stepId)?.endsBy
}

/** Closes the windows of due digests, then reads them: a repeat returns the same events. */
async function gatherEvents(digests: Digests, suspended: Suspended[]): Promise<Map<number, GatheredEvent[]>> {
  const runIds = suspended.filter((one) => endOf(one)?.by === 'events').map(({ wait }) => wait.runId)
  if (runIds.length === 0) return new Map()
  await digests.close(runIds)
  return digests.listEvents(runIds)
}

function toScope({ name, properties, occurredAt }: GatheredEvent, userId: string): Json {
  return { name, userId, properties: properties as Json, occurredAt: toIso(occurredAt) }
}

/** Calls the enricher at least once, always with the same `webhook-id`. */
async function ask({ enrichers }: FindReasonsDeps, { wait, start }: Suspended, name: string): Promise<Found> {
  const { environment, user, event, correlationId } = start
  const result = await enrichers.call({
    environmentId: environment.id,
    name,
    params: (wait.runState.note ?? {}) as JsonObject,
    user,
    event,
    callId: callIdOf(wait.runId, wait.stepId),
    correlationId,
  })
  if (!result.ok && result.retryAfterMs !== undefined) return { by: 'busy', retryAfterMs: result.retryAfterMs }
  return { by: 'enricher', result }
}
