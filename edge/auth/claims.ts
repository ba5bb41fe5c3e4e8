// Parses the claims of a verified token to a user, by the configured claim paths of the environment.

import type { ErrorDetail } from '../../contract/errors.ts'
import type { ClaimPaths } from '../../contract/resources/token-keys.ts'
import { isUserId, USER_ID_RULE } from '../../contract/user-id.ts'
import type { ProfileChange } from '../domain/user.ts'
import { ApiError } from '../lib/api-error.ts'

/** The user of a token. `profile` has only the fields whose claims are present. */
export interface ClaimedUser {
  userId: string
  profile: ProfileChange
  /** Configured claims that are absent or cannot be taken; none of them refuses a sign-in. */
  leftOut: ErrorDetail[]
}

const PROFILE_CHARS = { email: 320, name: 256, locale: 64 } as const
const CONTROL = /\p{Cc}|\p{Cs}/u

/** @throws ApiError `auth/invalid-inputs` when the user id is missing or invalid. */
export function parseClaims(claims: Record<string, unknown>, paths: ClaimPaths): ClaimedUser {
  const userId = toText(findClaim(claims, paths.userId))
  if (userId === undefined) throw invalid(paths.userId, missingClaim(claims))
  if (typeof userId !== 'string') throw invalid(paths.userId, 'This claim must be a string or a number.')
  if (!isUserId(userId)) throw invalid(paths.userId, USER_ID_RULE)
  const profile: ProfileChange = {}
  const leftOut: ErrorDetail[] = []
  for (const [field, most] of Object.entries(PROFILE_CHARS) as ['email' | 'name' | 'locale', number][]) {
    const path = paths[field]
    if (path === undefined) continue
    const value = findClaim(claims, path)
    const fault = faultOf(value, most)
    if (fault === undefined) profile[field] = value as string
    else leftOut.push({ path, message: fault })
  }
  return { userId, profile, leftOut }
}

function faultOf(value: unknown, most: number): string | undefined {
  if (value === undefined) return 'The token has no such claim.'
  if (typeof value !== 'string') return 'This claim must be a string.'
  if (value.length > most || CONTROL.test(value)) return `At most ${most} characters, no control character.`
  return undefined
}

/** Writes a number in decimals; one that needs an exponent is no id. */
function toText(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : ''
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : value
}

function missingClaim(claims: Record<string, unknown>): string {
  const names = Object.keys(claims).filter((name) => name.length <= 64)
  return `This claim is required. The token has ${names.slice(0, 20).join(', ') || 'no claims'}.`
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
