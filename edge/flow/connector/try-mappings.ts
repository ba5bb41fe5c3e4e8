// Shows what would become of a payload with given mappings; writes nothing.

import type { SourceMapping } from '../../../contract/tenant.ts'
import type { Connectors, DeliveredItem, MappedEvent } from '../../domain/connector/connector.ts'
import { parseMappings } from '../../domain/connector/parse-source.ts'
import { type Clock, toIso } from '../../lib/clock.ts'

export interface TryMappingsDeps {
  connectors: Connectors
  mapItem(item: DeliveredItem, mappings: readonly SourceMapping[]): MappedEvent
  clock: Clock
}

export interface TriedItem extends Omit<MappedEvent, 'occurredAt'> {
  occurredAt: string | null
}

/** Without mappings those of the platform hold. Throws `request/invalid-body`. */
export type TryMappings = (input: Record<string, unknown>) => { items: TriedItem[] }

const MAX_ITEMS = 100

export function createTryMappings({ connectors, mapItem, clock }: TryMappingsDeps): TryMappings {
  return function tryMappings(input) {
    const { provider, mappings } = parseMappings(input)
    const connector = connectors[provider]
    const body = Buffer.from(JSON.stringify(input.payload ?? null))
    const call = { method: 'POST', url: '', headers: {}, body, now: clock.now() }
    const { items } = connector.read(call, { requireV3: false, allowUnsignedBatchTail: true })
    const events = items.slice(0, MAX_ITEMS).map((item) => mapItem(item, mappings ?? connector.defaultMappings))
    return { items: events.map((event) => ({ ...event, occurredAt: toIso(event.occurredAt ?? null) })) }
  }
}
