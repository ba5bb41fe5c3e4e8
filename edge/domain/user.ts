// The user: a recipient, known by the customer's own id within one environment (contract section 3).

import { LIMITS } from '../../contract/limits.ts'

export interface UserProfile {
  email: string | null
  name: string | null
  locale: string | null
  timeZone: string | null
  attributes: Record<string, unknown>
}

export interface User extends UserProfile {
  /** Our integer, the key of the inbox; never on the wire. */
  userNo: number
  environmentId: number
  userId: string
  createdAt: number
  updatedAt: number
}

/** A merge: absent fields stay, null removes; the same within `attributes`, where null in their place removes all of them. */
export interface ProfileChange {
  email?: string | null
  name?: string | null
  locale?: string | null
  timeZone?: string | null
  attributes?: Record<string, unknown> | null
}

export const EMPTY_PROFILE: UserProfile = { email: null, name: null, locale: null, timeZone: null, attributes: {} }

/** Whether a merge made the attributes larger than any may be; what is too large already may shrink. */
export function outgrows(before: UserProfile['attributes'], after: UserProfile['attributes']): boolean {
  const text = JSON.stringify(after)
  // No character has more than three bytes.
  if (text.length * 3 <= LIMITS.attributesBytes) return false
  const bytes = sizeInBytes(text)
  return bytes > LIMITS.attributesBytes && bytes > sizeInBytes(JSON.stringify(before))
}

function sizeInBytes(text: string): number {
  return Buffer.byteLength(text)
}

/** The profile after a change, by the merge rules above. */
export function mergeProfile(profile: UserProfile, change: ProfileChange): UserProfile {
  const attributes = change.attributes === null ? {} : { ...profile.attributes }
  for (const [key, value] of Object.entries(change.attributes ?? {})) {
    if (value === null) delete attributes[key]
    else attributes[key] = value
  }
  return {
    email: change.email === undefined ? profile.email : change.email,
    name: change.name === undefined ? profile.name : change.name,
    locale: change.locale === undefined ? profile.locale : change.locale,
    timeZone: change.timeZone === undefined ? profile.timeZone : change.timeZone,
    attributes,
  }
}

export interface Users {
  find(environmentId: number, userId: string): Promise<User | undefined>
  /** One query for many; the unknown are absent. */
  findMany(environmentId: number, userIds: string[]): Promise<Map<string, User>>
  /** Creates the user when there is none. Throws `request/payload-too-large` when the merge outgrows a profile. */
  upsert(environmentId: number, userId: string, change: ProfileChange, now: number): Promise<User>
  /** Removes the user with all that is theirs; counters stay. Finishes an erasure that was cut off. False when there was nobody, and nothing left. */
  erase(environmentId: number, userId: string, now: number): Promise<boolean>
  /** Finishes erasures that began before then and were cut off: by a store that went away, or with the node that was at them. */
  finishErasures(begunBefore: number): Promise<void>
}
