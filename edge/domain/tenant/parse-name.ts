// Parses and compares names of organisations, environments and what they own.

import { ApiError } from '../../lib/api-error.ts'

/** The API reference has it as a pattern. */
export const NAME = /^(?=.*\S)[^\p{Cc}]{1,100}$/u
export const NAME_RULE = 'A name of 1 to 100 characters on one line.'

/** @returns The name as it is compared with others of its owner: without case, and without spaces around it. */
export function nameKeyOf(name: string): string {
  return name.normalize('NFC').trim().toUpperCase().toLowerCase()
}

/** Reports the name that another row of its owner has, at its field. @param noun Such as "environment of this organisation" */
export function nameTaken(noun: string): ApiError {
  const message = `Another ${noun} has that name.`
  return new ApiError('request/conflict', { message, details: [{ path: 'name', message }] })
}

/** @throws `request/invalid-body` for a name that is invisible, or not on one line */
export function parseName(name: string): string {
  if (NAME.test(name)) return name
  throw new ApiError('request/invalid-body', { message: NAME_RULE, details: [{ path: 'name', message: NAME_RULE }] })
}
