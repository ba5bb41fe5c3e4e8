// Parses names of organisations and environments.

import { ApiError } from '../../lib/api-error.ts'

/** The API reference has it as a pattern. */
export const NAME = /^(?=.*\S)[^\p{Cc}]{1,100}$/u
export const NAME_RULE = 'A name of 1 to 100 characters on one line.'

/** @throws `request/invalid-body` for a name that is invisible, or not on one line */
export function parseName(name: string): string {
  if (NAME.test(name)) return name
  throw new ApiError('request/invalid-body', { message: NAME_RULE, details: [{ path: 'name', message: NAME_RULE }] })
}
