// Shows what would become of a payload with given mappings; writes nothing.

import type { Connectors, MappedEvent } from '../../domain/connector/connector.ts'
import { parseMappings } from '../../domain/connector/parse-source.ts'
import { type Clock, toIso } from '../../lib/clock.ts'
import { checkConditions } from './check-conditions.ts'
import type { MapItems } from './map-items.ts'

export interface TryMappingsDeps {
  connectors: Connectors
  mapItems: MapItems
  clock: Clock
}

export interface TriedItem extends Omit<MappedEvent, 'occurredAt'> {
  occurredAt: string | null
}

/** Without mappings those of the platform hold. Throws `request/invalid-body`. */
export type TryMappings = (environmentId: number, input: Record<string, unknown>) => Promise<{ items: TriedItem[] }>

const MAX_ITEMS = 100

export function createTryMappings({ connectors, mapItems, clock }: TryMappingsDeps): TryMappings {
  return async function tryMappings(environmentId, input) {
    const { provider, mappings } = parseMappings(input)
    checkConditions(mappings)
    const connector = connectors[provider]
    const body = Buffer.from(JSON.stringify(input.payload ?? null))
    const call = { method: 'POST', url: '', headers: {}, body, now: clock.now() }
    const { items } = connector.read(call, { requireV3: false, allowUnsignedBatchTail: true, settings: null })
    const events = await mapItems(environmentId, items.slice(0, MAX_ITEMS), mappings ?? connector.defaultMappings)
    return { items: events.map((event) => ({ ...event, occurredAt: toIso(event.occurredAt ?? null) })) }
  }
}
