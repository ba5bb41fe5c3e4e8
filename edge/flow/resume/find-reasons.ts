// Finds the reason that ended each of many waits: time, an event, an enricher's answer, a digest's events.

import type { Json, JsonObject } from '../../../contract/json.ts'
import type { NotYet, ResumeReason, Suspended, WaitEnd } from '../../campaign/compiled.ts'
import type { Evaluator, Later } from '../../campaign/evaluator.ts'
import { findStep } from '../../campaign/walk.ts'
import type { Core } from '../../domain/core.ts'
import { callIdOf, type Enrichers } from '../../domain/enricher.ts'
import { evaluateMarked, markOfRun } from '../../domain/in-hand.ts'
import type { Arrival } from '../../domain/run/arrival.ts'
import type { GatheredEvent } from '../../domain/run/digests.ts'
import { toIso } from '../../lib/clock.ts'
import { groupByWeight } from '../../lib/group-by-weight.ts'

type Taken = Pick<Core, 'arrivals' | 'digests' | 'inHand'> & {
  judge: Evaluator['judge']
  enricherCalls: Pick<Enrichers, 'call'>
}

/** `busy`: to be repeated after this time. */
export type Found = ResumeReason | NotYet | { by: 'busy'; retryAfterMs: number }

/** A known reason, one that is evaluated, or a call that may take long. */
export type FoundOrCall = Found | { evaluate: () => Later<Found> } | { call: () => Promise<Found> }

/** Waits whose events are in memory together, with their reasons. */
export interface FoundTogether<One> {
  found: { one: One; reason: FoundOrCall }[]
  /** Size of their states and events as JSON. */
  bytes: number
}

/** Events of one group; a wait with more is a group of its own. */
const MAX_BYTES = 1024 * 1024
/** Arrivals of such a wait are judged so many at a time: each has at most 256 KiB. */
const JUDGED_TOGETHER = 4

/** Yields all waits in groups, in their order, with a few queries for each group. */
export async function* findReasons<One extends Suspended>(
  deps: Taken,
  suspended: One[],
): AsyncGenerator<FoundTogether<One>> {
  const ended = suspended.map((one) => ({ one, end: endOf(one) }))
  const idsOf = (kind: WaitEnd['by'], list = ended) =>
    list.filter(({ end }) => end?.by === kind).map(({ one }) => one.wait.runId)
  const digests = idsOf('events')
  const awaiting = idsOf('event')
  // A closed window stays as it is: a repeat reads the same events.
  if (digests.length > 0) await deps.digests.close(digests)
  const weights = new Map([
    ...(digests.length > 0 ? await deps.digests.weigh(digests) : []),
    ...(awaiting.length > 0 ? await deps.arrivals.weigh(awaiting) : []),
  ])
  const weightOf = ({ wait, chars }: One) => chars + (weights.get(wait.runId) ?? 0)
  for (const group of groupByWeight(ended, ({ one }) => weightOf(one), MAX_BYTES)) {
    const isLarge = (runId: number) => (weights.get(runId) ?? 0) > MAX_BYTES
    const read = {
      gathered: await readAll(idsOf('events', group), deps.digests.listEvents),
      arrivals: await readAll(
        idsOf('event', group).filter((runId) => !isLarge(runId)),
        deps.arrivals.find,
      ),
    }
    yield {
      found: group.map(({ one, end }) => ({ one, reason: findReason(deps, one, end, read, isLarge(one.wait.runId)) })),
      bytes: group.reduce((sum, { one }) => sum + weightOf(one), 0),
    }
  }
}

async function readAll<T>(
  runIds: number[],
  read: (runIds: number[]) => Promise<Map<number, T>>,
): Promise<Map<number, T>> {
  return runIds.length === 0 ? new Map() : read(runIds)
}

function findReason(
  deps: Taken,
  one: Suspended,
  end: WaitEnd | undefined,
  { gathered, arrivals }: { gathered: Map<number, GatheredEvent[]>; arrivals: Map<number, Arrival[]> },
  isLarge: boolean,
): FoundOrCall {
  const { runId } = one.wait
  switch (end?.by) {
    case 'events':
      return toReason(gathered.get(runId) ?? [], one.start.user.id)
    case 'event': {
      if (isLarge) return { evaluate: () => judgeInParts(deps, one) }
      return { evaluate: () => judge(deps, one, arrivals.get(runId) ?? []) }
    }
    case 'enricher':
      return { call: () => ask(deps, one, end.enricher) }
    default:
      return { by: 'timer' }
  }
}

const judge = ({ inHand, judge }: Taken, one: Suspended, arrivals: Arrival[]) =>
  evaluateMarked(inHand, markOfRun(one.wait), () => judge(one, arrivals))

async function judgeInParts(deps: Taken, one: Suspended): Promise<Found> {
  const checked: Json[] = []
  for (let after = 0; ; ) {
    const part = await deps.arrivals.findAfter(one.wait.runId, after, JUDGED_TOGETHER)
    const judged = await judge(deps, one, part)
    checked.push(...('checked' in judged ? (judged.checked ?? []) : []))
    const last = part.length < JUDGED_TOGETHER ? undefined : part.at(-1)
    if (judged.by === 'event' || last === undefined) return { ...judged, checked } as Found
    after = last.eventId
  }
}

/** Undefined also for a step that has not run yet. */
function endOf({ wait, start }: Suspended): WaitEnd | undefined {
  return wait.runState.isPostponed ? undefined : findStep(start.campaign.steps, wait.stepId)?.endsBy
}

/** Writes the events as templates see them; their properties, which may be large, are not parsed. */
function toReason(events: GatheredEvent[], userId: string): ResumeReason {
  const toScope = ({ name, properties, occurredAt }: GatheredEvent) =>
    `{"name":${JSON.stringify(name)},"userId":${JSON.stringify(userId)},"properties":${properties},"occurredAt":"${toIso(occurredAt)}"}`
  return { by: 'events', events: `[${events.map(toScope).join(',')}]`, count: events.length }
}

/** Calls the enricher at least once, always with the same `webhook-id`. */
async function ask({ enricherCalls }: Taken, { wait, start }: Suspended, name: string): Promise<Found> {
  const { environment, user, event, correlationId } = start
  const result = await enricherCalls.call({
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
