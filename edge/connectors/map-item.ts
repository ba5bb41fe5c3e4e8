// Maps an item of a delivery to a tracked event, by the mappings of its source.

import { toEventName } from '../../contract/event-name.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { SourceMapping } from '../../contract/tenant.ts'
import type { DeliveredItem, MappedEvent } from '../domain/connector/connector.ts'
import { isRecord } from '../domain/field-reader.ts'
import { isUserId } from '../domain/tracking/user-id.ts'
import type { ProfileChange } from '../domain/user.ts'
import { guardJson } from '../lib/json-guard.ts'
import { textOf } from '../lib/webhook-body.ts'

/** Stands for every type without a mapping of its own. */
export const ANY_TYPE = '*'
/** Traits of one `identify`, as JSON. */
const MAX_TRAITS_BYTES = 16 * 1024
/** Of the platform's type in `properties.providerEvent`. */
const MAX_TYPE_UNITS = 1000
const PROFILE_TEXTS = { name: 256, email: 320, locale: 64, timeZone: 64 } as const

/**
 * Maps an item by the mapping of its type, else by that of `*`, else by the platform's own paths. An item that cannot
 * be read is an event too, with the reason.
 */
export function mapItem(item: DeliveredItem, mappings: readonly SourceMapping[]): MappedEvent {
  const mapping =
    mappings.find(({ providerEvent }) => providerEvent === item.type) ??
    mappings.find(({ providerEvent }) => providerEvent === ANY_TYPE)
  const user = findUser(item, mapping)
  const traits = item.traits === null || user.userId === null ? null : readTraits(item.traits, mapping?.traits ?? [])
  const sent = mapping?.event ?? item.name
  const name = toEventName(sent)
  const content = readProperties(item, mapping, name === sent ? {} : { providerEvent: shorten(item.type) })
  return {
    deliveryId: item.deliveryId,
    type: item.type,
    name,
    userId: user.userId,
    properties: content.properties,
    occurredAt: item.occurredAt,
    profile: traits?.profile ?? null,
    reason: content.reason ?? user.reason ?? traits?.reason ?? null,
  }
}

/** What lies at a dotted path such as `data.items[0].id`, own fields only; undefined where there is nothing. */
export function valueAt(root: unknown, path: string): unknown {
  if (path === '') return root
  let value = root
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

interface FoundUser {
  userId: string | null
  reason: string | null
}

function findUser({ payload, userIdPaths }: DeliveredItem, mapping: SourceMapping | undefined): FoundUser {
  const own = mapping?.userIdPath ?? null
  const paths = own === null ? userIdPaths : [own]
  const ids = paths.map((path) => valueAt(payload, path)).map((value) => (Number.isFinite(value) ? `${value}` : value))
  const userId = ids.find((id) => typeof id === 'string' && id !== '') as string | undefined
  if (userId !== undefined && isUserId(userId)) return { userId, reason: null }
  if (userId !== undefined)
    return { userId: null, reason: 'The id of the user is too long, or has a control character.' }
  return { userId: null, reason: own === null ? null : `There is no user at ${own}.` }
}

interface ReadContent {
  properties: Record<string, unknown>
  reason: string | null
}

/** @param added Beside the properties of the item. */
function readProperties(
  item: DeliveredItem,
  mapping: SourceMapping | undefined,
  added: Record<string, unknown>,
): ReadContent {
  const own = mapping?.propertiesPath ?? null
  const found = valueAt(item.payload, own ?? item.propertiesPath)
  const { properties, reason } = isRecord(found) ? guarded({ ...found, ...added }) : { properties: {}, reason: null }
  // Without those of the item, the platform's name of it stays.
  const kept = reason === null && isRecord(found) ? properties : added
  if (!isRecord(item.payload)) return { properties: kept, reason: 'The item is no object.' }
  if (item.type === '') return { properties: kept, reason: 'The item names no type.' }
  const isMissing = own !== null && !isRecord(found)
  return { properties: kept, reason: isMissing ? `There is no object at ${own}.` : reason }
}

/** The same limits as those of a tracked event. */
function guarded(properties: Record<string, unknown>): ReadContent {
  const fault = guardJson(properties)
  if (fault !== undefined) {
    return { properties: {}, reason: `The properties are left out. ${fault.path}: ${fault.message}` }
  }
  if (Buffer.byteLength(JSON.stringify(properties)) <= LIMITS.eventBytes) return { properties, reason: null }
  const reason = `The properties are left out: they are larger than ${LIMITS.eventBytes / 1024} KiB.`
  return { properties: {}, reason }
}

/** Cut between characters: half of one cannot be stored. */
function shorten(type: string): string {
  return [...type.slice(0, MAX_TYPE_UNITS)].filter((character) => !/\p{Cs}/u.test(character)).join('')
}

/** Takes the texts of a profile, and the traits that the mapping lists. */
function readTraits(
  traits: Record<string, unknown>,
  listed: readonly string[],
): { profile: ProfileChange; reason: string | null } {
  const profile: ProfileChange = {}
  for (const [field, max] of Object.entries(PROFILE_TEXTS) as [keyof typeof PROFILE_TEXTS, number][]) {
    const text = textOf(traits[field])
    if (text !== null && text.length <= max && !/\p{Cc}/u.test(text)) profile[field] = text
  }
  const own = listed.filter((key) => Object.hasOwn(traits, key) && traits[key] !== undefined)
  const attributes = Object.fromEntries(own.map((key) => [key, traits[key]]))
  if (Object.keys(attributes).length === 0) return { profile, reason: null }
  const fault = guardJson(attributes)
  if (fault !== undefined) return { profile, reason: `The traits are left out. ${fault.path}: ${fault.message}` }
  if (Buffer.byteLength(JSON.stringify(attributes)) > MAX_TRAITS_BYTES) {
    return { profile, reason: `The traits are left out: they are larger than ${MAX_TRAITS_BYTES / 1024} KiB.` }
  }
  return { profile: { ...profile, attributes }, reason: null }
}
