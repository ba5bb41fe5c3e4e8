// Validates the customer's own id of a user: 1–256 characters, no control character. Topic keys follow the same rule.

import { LIMITS } from './limits.ts'

const SHAPE = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${LIMITS.userIdChars}}$`, 'u')

export const USER_ID_RULE = `1 to ${LIMITS.userIdChars} characters, no control character.`

/** Whether a text can be the id of a user, or the key of a topic. */
export function isUserId(text: string): boolean {
  return SHAPE.test(text)
}

/** The name of a system in which a user has an id, such as `stripe`. Without a colon, which ends it in `stripe:cus_1`. */
export const EXTERNAL_SYSTEM = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/

/** External ids of one user. */
export const MAX_EXTERNAL_IDS = 20
export const MAX_EXTERNAL_ID_CHARS = 256
