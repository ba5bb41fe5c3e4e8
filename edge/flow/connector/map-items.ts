// Maps the items of a delivery to events: one query for all users that are looked up, and one evaluation of each condition.

import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import type { Evaluator, HeldScope } from '../../campaign/evaluator.ts'
import type { Verdict } from '../../campaign/expression/condition.ts'
import { TemplateError } from '../../campaign/expression/template.ts'
import type { DeliveredItem, MappedEvent } from '../../domain/connector/connector.ts'
import type { Core } from '../../domain/core.ts'
import { evaluateFor, type WorkMark } from '../../domain/in-hand.ts'
import { type ExternalId, externalKeyOf } from '../../domain/user.ts'
import { toIso } from '../../lib/clock.ts'
import { groupBy } from '../../lib/group-by.ts'

type Taken = Pick<Core, 'users' | 'inHand' | 'clock'> & {
  mapItem(
    item: DeliveredItem,
    mappings: readonly SourceMapping[],
    known: ReadonlyMap<string, string> | undefined,
  ): MappedEvent
  mappingOf(item: DeliveredItem, mappings: readonly SourceMapping[]): SourceMapping | undefined
  lookupsOf(item: DeliveredItem, mappings: readonly SourceMapping[]): ExternalId[]
  /** Evaluates conditions within the budget, and in the sandbox, of those of campaigns. */
  holds: Evaluator['holds']
}

/** @param mark Of the job that does it */
export type MapItems = (
  environmentId: number,
  items: readonly DeliveredItem[],
  mappings: readonly SourceMapping[],
  mark?: WorkMark,
) => Promise<MappedEvent[]>

export function createMapItems(deps: Taken): MapItems {
  return async function mapItems(environmentId, items, mappings, mark) {
    const wanted = new Map(items.flatMap((item) => deps.lookupsOf(item, mappings)).map((id) => [externalKeyOf(id), id]))
    const known =
      wanted.size === 0 ? undefined : await deps.users.findByExternalIds(environmentId, [...wanted.values()])
    const events = items.map((item) => deps.mapItem(item, mappings, known))
    const conditions = items.map((item) => deps.mappingOf(item, mappings)?.where)
    const holds: Evaluator['holds'] = (...given) => evaluateFor(deps.inHand, mark, () => deps.holds(...given))
    return filter({ ...deps, holds }, environmentId, events, conditions)
  }
}

/** @param conditions Of each event; undefined: none. */
async function filter(
  { holds, clock }: Pick<Taken, 'holds' | 'clock'>,
  environmentId: number,
  events: MappedEvent[],
  conditions: (string | undefined)[],
): Promise<MappedEvent[]> {
  const places = groupBy(events.keys(), (at) => (events[at]?.dropped === null ? conditions[at] : undefined))
  places.delete(undefined)
  const filtered = [...events]
  const now = clock.now()
  const each = [...places].map(async ([condition = '', group]) => {
    const scopes = group.flatMap((at) => toScope(events[at], now) ?? [])
    const verdicts = await judge(() => holds(environmentId, condition, scopes), group.length)
    for (const [index, at] of group.entries()) {
      const [event, verdict] = [events[at], verdicts[index]]
      if (event !== undefined && verdict?.holds === false) filtered[at] = { ...event, dropped: reasonOf(verdict) }
    }
  })
  await Promise.all(each)
  return filtered
}

/** A condition that ended its processes holds for none. */
async function judge(evaluate: () => Verdict[] | Promise<Verdict[]>, count: number): Promise<Verdict[]> {
  try {
    return await evaluate()
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const { message: reason } = error
    return Array.from({ length: count }, () => ({ holds: false, outcome: 'error', reason }) as const)
  }
}

function reasonOf({ outcome, reason }: Extract<Verdict, { holds: false }>): string {
  return outcome === 'false'
    ? 'The condition of the mapping is false.'
    : `The condition of the mapping failed: ${reason}`
}

function toScope(event: MappedEvent | undefined, now: number): HeldScope | undefined {
  if (event === undefined) return undefined
  const { name, properties, occurredAt = now } = event
  const userId = event.userId ?? ''
  return {
    event: { name, userId, properties, occurredAt: toIso(occurredAt) },
    user: { id: userId },
    enriched: {},
    chars: JSON.stringify(properties).length,
  }
}
