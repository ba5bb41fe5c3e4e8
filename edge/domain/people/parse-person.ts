// Parses e-mail addresses and passwords of people.

import { ROLES, type Role } from '../../../contract/role.ts'
import { ApiError } from '../../lib/api-error.ts'

const ADDRESS = /^[^\s@<>,;:"\\\p{Cc}]{1,64}@[^\s@<>,;:"\\\p{Cc}]+\.[^\s@<>,;:"\\\p{Cc}]+$/u
const MAX_ADDRESS_CHARS = 320
export const MIN_PASSWORD_CHARS = 10
/** Longer ones would only cost time. */
export const MAX_PASSWORD_CHARS = 256

/** @returns The address in lower case, as it is stored. @throws `request/invalid-body`. */
export function parseEmail(text: string): string {
  const email = normaliseEmail(text)
  if (email.length > MAX_ADDRESS_CHARS || !ADDRESS.test(email)) throw invalid('email', 'This is no e-mail address.')
  return email
}

/** @returns The form in which addresses are compared. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

/** @throws `request/invalid-body` for a password that is too short or too long. */
export function parsePassword(password: string): string {
  const { length } = [...password]
  if (length < MIN_PASSWORD_CHARS || length > MAX_PASSWORD_CHARS) {
    throw invalid('password', `A password of ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters.`)
  }
  return password
}

/** @throws `request/invalid-body`. */
export function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text)
  if (role === undefined) throw invalid('role', `This must be one of ${ROLES.join(', ')}.`)
  return role
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { message, details: [{ path, message }] })
}
