// Defines the user: a recipient, known by the customer's own id within one environment.

import { LIMITS } from '../../contract/limits.ts'
import type { AuditEntry } from './audit.ts'
import { isTimeZone } from './sending/quiet-hours.ts'

export interface UserProfile {
  email: string | null
  name: string | null
  locale: string | null
  timeZone: string | null
  attributes: Record<string, unknown>
  /** By system, such as `stripe`: each value belongs to one user of the environment. */
  externalIds: Record<string, string>
}

export interface User extends UserProfile {
  /** Our integer, the key of the inbox; never on the wire. */
  userNo: number
  environmentId: number
  userId: string
  createdAt: number
  updatedAt: number
}

/**
 * A merge: absent fields stay, null removes. The same applies within `attributes` and `externalIds`, where null for all
 * of them removes all.
 */
export interface ProfileChange {
  email?: string | null
  name?: string | null
  locale?: string | null
  timeZone?: string | null
  attributes?: Record<string, unknown> | null
  externalIds?: Record<string, string | null> | null
}

export const EMPTY_PROFILE: UserProfile = {
  email: null,
  name: null,
  locale: null,
  timeZone: null,
  attributes: {},
  externalIds: {},
}

/** Returns whether a merge makes the attributes too large; attributes that are too large already may shrink. */
export function makesProfileTooLarge(before: UserProfile['attributes'], after: UserProfile['attributes']): boolean {
  const text = JSON.stringify(after)
  // No character has more than three bytes.
  if (text.length * 3 <= LIMITS.attributesBytes) return false
  const bytes = sizeInBytes(text)
  return bytes > LIMITS.attributesBytes && bytes > sizeInBytes(JSON.stringify(before))
}

function sizeInBytes(text: string): number {
  return Buffer.byteLength(text)
}

/** Returns the profile after a change by the merge rules above. */
export function mergeProfile(profile: UserProfile, change: ProfileChange): UserProfile {
  return {
    email: change.email === undefined ? profile.email : change.email,
    name: change.name === undefined ? profile.name : change.name,
    locale: change.locale === undefined ? profile.locale : change.locale,
    timeZone: change.timeZone === undefined ? profile.timeZone : change.timeZone,
    attributes: mergeKeys(profile.attributes, change.attributes),
    externalIds: mergeKeys(profile.externalIds, change.externalIds),
  }
}

function mergeKeys<T>(before: Record<string, T>, change: Record<string, T | null> | null | undefined) {
  if (change === undefined) return before
  const after = change === null ? {} : { ...before }
  for (const [key, value] of Object.entries(change ?? {})) {
    if (value === null) delete after[key]
    else after[key] = value
  }
  return after
}

/** The author of a change of users or topics; the store adds what was changed. */
export type UserAudit = Pick<AuditEntry, 'at' | 'actor' | 'who'> & { correlationId?: string | undefined }

/** Defaults for missing fields of a profile: the organisation's settings, if any. */
export interface UserDefaults {
  locale: string | null
  timeZone: string | null
}

export const NO_DEFAULTS: UserDefaults = { locale: null, timeZone: null }

/** @returns The profile with the default for a missing locale or time zone. An unknown zone counts as missing. */
export function withDefaults(profile: UserProfile, defaults: UserDefaults): UserProfile {
  const { email, name, locale, timeZone, attributes, externalIds } = profile
  const lacksLocale = defaults.locale !== null && (locale === null || locale === '')
  const lacksZone = defaults.timeZone !== null && (timeZone === null || !isTimeZone(timeZone))
  if (!lacksLocale && !lacksZone) return profile
  return {
    email,
    name,
    locale: lacksLocale ? defaults.locale : locale,
    timeZone: lacksZone ? defaults.timeZone : timeZone,
    attributes,
    externalIds,
  }
}

/** The fields by whose beginning users are found, in the order of their results. */
export const SEARCH_FIELDS = ['userId', 'email', 'name'] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]

/** A search by the beginning of one field. Letters A to Z match both cases in `email` and `name`. */
export interface UserSearch {
  environmentId: number
  field: SearchField
  beginning: string
}

/** An id of a user in another system, such as `stripe` and `cus_1`. */
export interface ExternalId {
  system: string
  value: string
}

export const externalKeyOf = ({ system, value }: ExternalId): string => `${system}:${value}`

/** Attributes (bytes of JSON) of large profiles that are in memory together: parsed, they take up to twenty times as much. */
export const LARGE_TOGETHER_BYTES = 1024 * 1024

/** Asked for each large profile in turn, with the bytes of its attributes: whether it may be read beside the others. */
export type MayRead = (bytes: number) => boolean

/** @returns What lets profiles be read until they weigh enough together, and the first one in any case. */
export function upToTogether(): MayRead {
  let held = 0
  return (bytes) => {
    if (held > 0 && held + bytes > LARGE_TOGETHER_BYTES) return false
    held += bytes
    return true
  }
}

/** Users whose profiles are in memory together. */
export interface UsersRead {
  users: Map<string, User>
  /** Bytes of the attributes as JSON, of those that are large, also of those that were left. */
  bytes: ReadonlyMap<string, number>
  /** Those that were not read, because the others weigh enough. */
  left: ReadonlySet<string>
}

export interface UserPage {
  users: User[]
  hasMore: boolean
}

export interface HoldingUsers {
  find(environmentId: number, userId: string): Promise<User | undefined>
  findMany(environmentId: number, userIds: string[]): Promise<UsersRead>
}

export interface Users {
  find(environmentId: number, userId: string): Promise<User | undefined>
  findByNumber(environmentId: number, userNo: number): Promise<User | undefined>
  /** Newest first; `before` is the last user number read (null at the newest). A page of large profiles is shorter. */
  listNewest(environmentId: number, before: number | null, limit: number): Promise<UserPage>
  /**
   * Reads a page in the order of the field, then of the user numbers. Users whom an earlier field of SEARCH_FIELDS
   * matches are absent. `after`: the last user of the page before. A page of large profiles is shorter.
   */
  search(search: UserSearch, after: User | null, limit: number): Promise<UserPage>
  /** Finds users by ids of other systems, in one query. @returns Their ids by `system:value`; unknown ones are absent */
  findByExternalIds(environmentId: number, ids: ExternalId[]): Promise<Map<string, string>>
  /**
   * Reads many in the order of the ids up to the first large one that must not be read; unknown ones are absent. Without
   * `mayRead`, as many as may be in memory together, and at least one.
   */
  findMany(environmentId: number, userIds: string[], mayRead?: MayRead): Promise<UsersRead>
  /**
   * For requests: what `use` reads by its argument counts until it has ended, for all requests together. Where that would
   * be too much, `find` throws `service/unavailable`, and `findMany` leaves users.
   */
  holding<T>(use: (users: HoldingUsers) => Promise<T>): Promise<T>
  /** Reads many without their attributes, which are empty then; unknown ones are absent. */
  findManyBare(environmentId: number, userIds: string[]): Promise<Map<string, User>>
  /**
   * Creates the user when there is none. Writes the audit entry, if given, with the difference of the profile, in the
   * same transaction. @throws `request/payload-too-large` when the merge exceeds the limit of a profile, `request/conflict`
   * for an external id of another user, `request/invalid-body` for too many of them
   */
  upsert(environmentId: number, userId: string, change: ProfileChange, now: number, audit?: UserAudit): Promise<User>
  /**
   * Removes the user with all their data, also from the audit log; counters stay. Finishes an interrupted erasure. False when there was no user
   * and nothing left.
   */
  erase(environmentId: number, userId: string, now: number): Promise<boolean>
  /** Finishes erasures that began before then and were interrupted by an outage of the store or the end of a node. */
  finishErasures(begunBefore: number): Promise<void>
}
