// Parses the claims of a verified token to a user, by the configured claim paths of the environment.

import type { ClaimPaths } from '../../contract/tenant.ts'
import { isUserId, USER_ID_RULE } from '../domain/tracking/user-id.ts'
import type { ProfileChange } from '../domain/user.ts'
import { ApiError } from '../lib/api-error.ts'

/** The user of a token. `profile` has only the fields whose claims are present. */
export interface ClaimedUser {
  userId: string
  profile: ProfileChange
}

const PROFILE_CHARS = { email: 320, name: 256, locale: 64 } as const
const CONTROL = /\p{Cc}|\p{Cs}/u

/** @throws ApiError `auth/invalid-inputs` when the user id is missing or a claim is invalid. */
export function parseClaims(claims: Record<string, unknown>, paths: ClaimPaths): ClaimedUser {
  const userId = findClaim(claims, paths.userId)
  if (userId === undefined) throw invalid(paths.userId, 'This claim is required.')
  if (typeof userId !== 'string') throw invalid(paths.userId, 'This claim must be a string.')
  if (!isUserId(userId)) throw invalid(paths.userId, USER_ID_RULE)
  const profile: ProfileChange = {}
  for (const [field, most] of Object.entries(PROFILE_CHARS) as ['email' | 'name' | 'locale', number][]) {
    const path = paths[field]
    const value = path === undefined ? undefined : findClaim(claims, path)
    if (value === undefined) continue
    if (typeof value !== 'string') throw invalid(path as string, 'This claim must be a string.')
    if (value.length > most || CONTROL.test(value)) {
      throw invalid(path as string, `At most ${most} characters, no control character.`)
    }
    profile[field] = value
  }
  return { userId, profile }
}

/** Prefers a claim whose whole name is the path (`https://example.com/user`) to nested fields; null counts as absent. */
function findClaim(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined
  let value: unknown = claims
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value ?? undefined
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('auth/invalid-inputs', { details: [{ path, message }] })
}
