// Shows what would become of a payload with given mappings; writes nothing.

import type { SourceTrial, SourceTrialAnswer } from '../../../contract/resources/source.ts'
import type { Core } from '../../domain/core.ts'
import { toIso } from '../../lib/clock.ts'
import { checkConditions } from './check-conditions.ts'
import type { MapItems } from './map-items.ts'

/** Without mappings those of the platform hold. Throws `request/invalid-body`. */
export type TryMappings = (environmentId: number, trial: SourceTrial) => Promise<SourceTrialAnswer>

const MAX_ITEMS = 100

export function createTryMappings({
  connectors,
  mapItems,
  clock,
}: Pick<Core, 'connectors' | 'clock'> & {
  mapItems: MapItems
}): TryMappings {
  return async function tryMappings(environmentId, { provider, mappings, payload = null }) {
    await checkConditions(mappings)
    const connector = connectors[provider]
    const body = Buffer.from(JSON.stringify(payload))
    const call = { method: 'POST', url: '', headers: {}, body, now: clock.now() }
    const { items } = connector.read(call, { requireV3: false, allowUnsignedBatchTail: true, settings: null })
    const events = await mapItems(environmentId, items.slice(0, MAX_ITEMS), mappings ?? connector.defaultMappings)
    return { items: events.map((event) => ({ ...event, occurredAt: toIso(event.occurredAt ?? null) })) }
  }
}
