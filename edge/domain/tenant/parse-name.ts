// Parses names of organisations and environments.

import { ApiError } from '../../lib/api-error.ts'

const NAME = /^(?=.*\S)[^\p{Cc}]{1,100}$/u

/** @throws `request/invalid-body` for a name that is invisible, or not on one line */
export function parseName(name: string): string {
  if (NAME.test(name)) return name
  const message = 'A name of 1 to 100 characters on one line.'
  throw new ApiError('request/invalid-body', { message, details: [{ path: 'name', message }] })
}
