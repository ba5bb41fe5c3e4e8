// Takes the ids of users that are numbers as their digits.

/** Your own id of a user. A whole number is taken as its digits; beyond ±(2^53 − 1) only as a bigint or a string. */
export type UserId = string | number | bigint

/**
 * @returns The digits of a whole number; any other value as it is.
 * @throws TypeError for a number whose digits are not exact, which would name another user.
 */
export function toUserId(userId: unknown, place: string): unknown {
  if (typeof userId === 'bigint') return userId.toString()
  if (typeof userId !== 'number') return userId
  if (!Number.isSafeInteger(userId)) throw new TypeError(`${place} is a number without exact digits. Give a string.`)
  return String(userId)
}
