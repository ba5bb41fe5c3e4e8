// Maps the items of a delivery to events, with one query for all users that are looked up by an external id.

import type { SourceMapping } from '../../../contract/tenant.ts'
import type { DeliveredItem, MappedEvent } from '../../domain/connector/connector.ts'
import { type ExternalId, externalKeyOf, type Users } from '../../domain/user.ts'

export interface MapItemsDeps {
  mapItem(
    item: DeliveredItem,
    mappings: readonly SourceMapping[],
    known: ReadonlyMap<string, string> | undefined,
  ): MappedEvent
  lookupsOf(item: DeliveredItem, mappings: readonly SourceMapping[]): ExternalId[]
  users: Pick<Users, 'findByExternalIds'>
}

export type MapItems = (
  environmentId: number,
  items: readonly DeliveredItem[],
  mappings: readonly SourceMapping[],
) => Promise<MappedEvent[]>

export function createMapItems({ mapItem, lookupsOf, users }: MapItemsDeps): MapItems {
  return async function mapItems(environmentId, items, mappings) {
    const wanted = new Map(items.flatMap((item) => lookupsOf(item, mappings)).map((id) => [externalKeyOf(id), id]))
    const known = wanted.size === 0 ? undefined : await users.findByExternalIds(environmentId, [...wanted.values()])
    return items.map((item) => mapItem(item, mappings, known))
  }
}
