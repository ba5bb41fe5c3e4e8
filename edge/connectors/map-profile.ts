// Maps what an item says of its user to a change of their profile: by the platform, and by the mapping of its source.

import type { SourceIdentify, SourceMapping } from '../../contract/resources/source-mapping.ts'
import { MAX_EXTERNAL_ID_CHARS } from '../../contract/user-id.ts'
import type { DeliveredItem } from '../domain/connector/connector.ts'
import type { ProfileChange } from '../domain/user.ts'
import { guardJson } from '../lib/json-guard.ts'
import { textOf } from '../lib/webhook-body.ts'
import { valueAt } from './path.ts'

/** Traits of one `identify`, as JSON. */
const MAX_TRAITS_BYTES = 16 * 1024
const PROFILE_TEXTS = { name: 256, email: 320, locale: 64, timeZone: 64 } as const
type TextField = keyof typeof PROFILE_TEXTS

export interface MappedProfile {
  /** Null: it changes nothing. */
  profile: ProfileChange | null
  reason: string | null
}

const NO_CHANGE: MappedProfile = { profile: null, reason: null }

/** @returns The texts of a profile, the traits that the mapping lists, and what it finds at the paths of `identify`. */
export function mapProfile(
  item: DeliveredItem,
  mapping: SourceMapping | undefined,
  userId: string | null,
): MappedProfile {
  if (userId === null) return NO_CHANGE
  const identify = mapping?.identify
  const ids = externalIdsOf(item, identify, userId)
  const external = Object.keys(ids).length === 0 ? {} : { externalIds: ids }
  if (item.traits === null && identify === undefined) {
    return Object.keys(external).length === 0 ? NO_CHANGE : { profile: external, reason: null }
  }
  const profile = {
    ...textsOf((field) => item.traits?.[field]),
    ...textsOf((field) => foundAt(item, identify?.[field])),
  }
  const { reason, ...attributes } = readAttributes({
    ...listedTraits(item, mapping?.traits ?? []),
    ...foundAttributes(item, identify?.attributes ?? {}),
  })
  return { profile: { ...profile, ...attributes, ...external }, reason }
}

const foundAt = ({ payload }: DeliveredItem, path: string | undefined) =>
  path === undefined ? undefined : valueAt(payload, path)

function textsOf(read: (field: TextField) => unknown): ProfileChange {
  const texts: ProfileChange = {}
  for (const [field, max] of Object.entries(PROFILE_TEXTS) as [TextField, number][]) {
    const text = textOf(read(field))
    if (text !== null && text.length <= max && !/\p{Cc}/u.test(text)) texts[field] = text
  }
  return texts
}

function listedTraits({ traits }: DeliveredItem, listed: readonly string[]): Record<string, unknown> {
  if (traits === null) return {}
  const own = listed.filter((key) => Object.hasOwn(traits, key) && traits[key] !== undefined)
  return Object.fromEntries(own.map((key) => [key, traits[key]]))
}

function foundAttributes(item: DeliveredItem, paths: Record<string, string>): Record<string, unknown> {
  const found = Object.entries(paths).map(([key, path]) => [key, foundAt(item, path)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

function readAttributes(attributes: Record<string, unknown>): {
  attributes?: Record<string, unknown>
  reason: string | null
} {
  if (Object.keys(attributes).length === 0) return { reason: null }
  const fault = guardJson(attributes)
  if (fault !== undefined) return { reason: `The traits are left out. ${fault.path}: ${fault.message}` }
  if (Buffer.byteLength(JSON.stringify(attributes)) > MAX_TRAITS_BYTES) {
    return { reason: `The traits are left out: they are larger than ${MAX_TRAITS_BYTES / 1024} KiB.` }
  }
  return { attributes, reason: null }
}

/** Where the id at the platform is the user's id itself, nobody is known yet. */
function externalIdsOf(
  item: DeliveredItem,
  identify: SourceIdentify | undefined,
  userId: string,
): Record<string, string> {
  const own = item.externalId === undefined ? [] : [[item.externalId.system, item.externalId.value] as const]
  const found = Object.entries(identify?.externalIds ?? {}).map(
    ([system, path]) => [system, foundAt(item, path)] as const,
  )
  const texts = [...own, ...found].map(
    ([system, value]) => [system, Number.isFinite(value) ? `${value}` : textOf(value)] as const,
  )
  const fitting = texts.filter(
    ([, value]) => value !== null && value !== userId && value.length <= MAX_EXTERNAL_ID_CHARS,
  )
  return Object.fromEntries(fitting) as Record<string, string>
}
