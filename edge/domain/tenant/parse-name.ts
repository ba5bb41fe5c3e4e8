// Parses and compares names of organisations, environments and what they own.

import { NAME, NAME_RULE } from '../../../contract/key.ts'
import { ApiError } from '../../lib/api-error.ts'

/** @returns The name as it is compared with others of its owner: what looks alike is the same, whatever its case, width, spaces and invisible signs. */
export function nameKeyOf(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
    .toLowerCase()
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
