// Maps an item of a delivery to a tracked event, by the mappings of its source.

import { toEventName } from '../../contract/event-name.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { SourceMapping } from '../../contract/resources/source-mapping.ts'
import { isUserId, MAX_EXTERNAL_ID_CHARS } from '../../contract/user-id.ts'
import type { DeliveredItem, MappedEvent } from '../domain/connector/connector.ts'
import { type ExternalId, externalKeyOf } from '../domain/user.ts'
import { isRecord } from '../lib/is-record.ts'
import { guardJson } from '../lib/json-guard.ts'
import { mapProfile } from './map-profile.ts'
import { valueAt } from './path.ts'

/** Stands for every type without a mapping of its own. */
export const ANY_TYPE = '*'
/** Of the platform's type in `properties.providerEvent`. */
const MAX_TYPE_UNITS = 1000
const LOOKUP = 'external:'
const NOBODY: ReadonlyMap<string, string> = new Map()
const DROPPED = 'The mapping drops it.'

/**
 * Maps an item by the mapping of its type, else by that of `*`, else by the platform's own paths. An item that cannot
 * be read is an event too, with the reason.
 * @param known Users by `system:value`, for the look-ups that `lookupsOf` names
 */
export function mapItem(
  item: DeliveredItem,
  mappings: readonly SourceMapping[],
  known: ReadonlyMap<string, string> = NOBODY,
): MappedEvent {
  const mapping = mappingOf(item, mappings)
  const user = findUser(item, mapping, known)
  const { profile, reason } = mapProfile(item, mapping, user.userId)
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
    profile,
    reason: content.reason ?? user.reason ?? reason,
    dropped: mapping?.drop === true ? DROPPED : null,
    joinTopic: mapping?.joinTopic ?? null,
  }
}

interface FoundUser {
  userId: string | null
  reason: string | null
}

function findUser(
  { payload, userIdPaths }: DeliveredItem,
  mapping: SourceMapping | undefined,
  known: ReadonlyMap<string, string>,
): FoundUser {
  const own = mapping?.userIdPath ?? null
  const paths = own === null ? userIdPaths : [own].flat()
  for (const path of paths) {
    const lookup = lookupAt(payload, path)
    const userId = lookup === undefined ? idAt(payload, path) : known.get(externalKeyOf(lookup))
    if (userId === undefined) continue
    if (isUserId(userId)) return { userId, reason: null }
    return { userId: null, reason: 'The id of the user is too long, or has a control character.' }
  }
  return { userId: null, reason: own === null ? null : `There is no user at ${paths.join(', ')}.` }
}

function idAt(payload: unknown, path: string): string | undefined {
  if (path.startsWith(LOOKUP)) return undefined
  const value = valueAt(payload, path)
  return Number.isFinite(value) ? `${value}` : typeof value === 'string' && value !== '' ? value : undefined
}

/** @returns The external id that a path such as `external:stripe:data.object.customer` leads to. */
function lookupAt(payload: unknown, path: string): ExternalId | undefined {
  if (!path.startsWith(LOOKUP)) return undefined
  const [, system = '', ...rest] = path.split(':')
  const value = idAt(payload, rest.join(':'))
  return value === undefined || value.length > MAX_EXTERNAL_ID_CHARS ? undefined : { system, value }
}

/** @returns The external ids whose users `mapItem` needs: those of the paths before the first that holds an id itself. */
export function lookupsOf(item: DeliveredItem, mappings: readonly SourceMapping[]): ExternalId[] {
  const paths = [mappingOf(item, mappings)?.userIdPath ?? item.userIdPaths].flat()
  const end = paths.findIndex((path) => idAt(item.payload, path) !== undefined)
  const before = end === -1 ? paths : paths.slice(0, end)
  return before.flatMap((path) => lookupAt(item.payload, path) ?? [])
}

/** @returns The mapping of the item's type, else that of `*`. */
export function mappingOf({ type }: DeliveredItem, mappings: readonly SourceMapping[]): SourceMapping | undefined {
  return (
    mappings.find(({ providerEvent }) => providerEvent === type) ??
    mappings.find(({ providerEvent }) => providerEvent === ANY_TYPE)
  )
}

interface ReadContent {
  properties: Record<string, unknown>
  reason: string | null
}
const NOTHING: ReadContent = { properties: {}, reason: null }

/** @param added Beside the properties of the item. */
function readProperties(
  item: DeliveredItem,
  mapping: SourceMapping | undefined,
  added: Record<string, unknown>,
): ReadContent {
  const own = mapping?.propertiesPath ?? null
  const found = valueAt(item.payload, own ?? item.propertiesPath)
  // By default nothing is lost: what lies beside the object is there too, where the object has no such field.
  const all = own === null ? gather(item.payload, item.propertiesPath) : found
  const whole = isRecord(all) ? guarded({ ...all, ...added }) : NOTHING
  const isTooMuch = whole.reason !== null && own === null && isRecord(found)
  const { properties, reason } = isTooMuch ? guarded({ ...found, ...added }) : whole
  // Without those of the item, the platform's name of it stays.
  const kept = reason === null && isRecord(all) ? properties : added
  if (!isRecord(item.payload)) return { properties: kept, reason: 'The item is no object.' }
  if (item.type === '') return { properties: kept, reason: 'The item names no type.' }
  const isMissing = own !== null && !isRecord(found)
  return { properties: kept, reason: isMissing ? `There is no object at ${own}.` : reason }
}

/** @returns The fields of the object at the path, and those beside each step of the path; undefined without an object. */
function gather(root: unknown, path: string): unknown {
  if (!isRecord(root)) return undefined
  let fields: Record<string, unknown> = {}
  let value: unknown = root
  for (const key of path.split('.').filter((part) => part !== '')) {
    if (!isRecord(value)) break
    const { [key]: inner, ...beside } = value
    fields = { ...fields, ...(isRecord(inner) ? beside : value) }
    value = Object.hasOwn(value, key) ? inner : undefined
  }
  return isRecord(value) ? { ...fields, ...value } : fields
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
