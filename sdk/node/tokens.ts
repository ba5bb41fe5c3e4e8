// Computes user tokens, which a backend gives to its page so that the widget can sign in.

import { createHmac } from 'node:crypto'
import { toUserId, type UserId } from './user-id.ts'

export interface TokenOptions {
  /**
   * The end of the token, to the second: a Date, an ISO 8601 text, Unix seconds, or milliseconds of `Date.now()`.
   * Seconds and milliseconds are distinguished by their size. Without it, the token does not expire.
   */
  expiresAt?: Date | string | number | undefined
}

const USER_ID_CHARS = 256
/** As seconds this is the year 5138, as milliseconds March 1973. */
const FIRST_MILLISECONDS = 100_000_000_000
/** The service reads at most twelve digits. */
const LAST_SECONDS = 999_999_999_999

/** Computes the token. @throws TypeError for an invalid user id or time */
export function mintToken(authSecretKey: string, givenId: UserId, { expiresAt }: TokenOptions = {}): string {
  const userId = toUserId(givenId, 'userId')
  checkUserId(userId)
  if (expiresAt === undefined) return hmacHex(authSecretKey, userId)
  const expiresAtSeconds = toSeconds(expiresAt)
  return `v2.${expiresAtSeconds}.${hmacHex(authSecretKey, `v2\n${expiresAtSeconds}\n${userId}`)}`
}

// A line feed separates the signed fields of an expiring token, so an id must not contain one.
function checkUserId(userId: unknown): asserts userId is string {
  if (typeof userId !== 'string' || userId === '') throw new TypeError('userId must be a text of 1 to 256 characters.')
  if (userId.length > 2 * USER_ID_CHARS || [...userId].length > USER_ID_CHARS) {
    throw new TypeError('userId is longer than 256 characters.')
  }
  if (/\p{Cc}|\p{Cs}/u.test(userId)) throw new TypeError('userId holds a control character or half a surrogate pair.')
}

function toSeconds(expiresAt: unknown): number {
  const seconds = typeof expiresAt === 'number' ? fromNumber(expiresAt) : fromDate(expiresAt)
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > LAST_SECONDS) {
    throw new TypeError('expiresAt must be a Date, an ISO 8601 text, Unix seconds or milliseconds.')
  }
  return seconds
}

function fromNumber(value: number): number {
  return Math.floor(value >= FIRST_MILLISECONDS ? value / 1000 : value)
}

function fromDate(value: unknown): number {
  const epochMs = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Math.floor(epochMs / 1000)
}

function hmacHex(key: string, message: string): string {
  return createHmac('sha256', key).update(message, 'utf8').digest('hex')
}
