// Describes what a person signs in with: an e-mail address and a password.

import { z } from 'zod'

const ADDRESS = /^[^\s@<>,;:"\\\p{Cc}]{1,64}@[^\s@<>,;:"\\\p{Cc}]+\.[^\s@<>,;:"\\\p{Cc}]+$/u
const MAX_ADDRESS_CHARS = 320
/** Of a new password. Longer ones would only cost time. */
export const PASSWORD_LENGTH = { minLength: 10, maxLength: 256 }

/** @returns The form in which addresses are compared. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

/** @param email In the form in which addresses are compared. @returns Whether a person may have it. */
export function isPersonEmail(email: string): boolean {
  return email.length <= MAX_ADDRESS_CHARS && ADDRESS.test(email)
}

/** An address that somebody types to be found; any text is allowed. */
export const typedEmail = z.string().min(1).max(MAX_ADDRESS_CHARS)

/** An address that is stored. Output: in the form in which addresses are compared. */
export const newEmail = typedEmail
  .transform(normaliseEmail)
  .refine(isPersonEmail, 'This is no e-mail address.')
  .meta({ type: 'string', format: 'email', minLength: 1, maxLength: MAX_ADDRESS_CHARS })

/** A password that is stored. */
export const newPassword = z
  .string()
  .refine(hasPasswordLength, `A password of ${PASSWORD_LENGTH.minLength} to ${PASSWORD_LENGTH.maxLength} characters.`)
  .meta(PASSWORD_LENGTH)

function hasPasswordLength(password: string): boolean {
  const { length } = [...password]
  return length >= PASSWORD_LENGTH.minLength && length <= PASSWORD_LENGTH.maxLength
}
