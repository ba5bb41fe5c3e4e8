// Reads the JSON of providers' webhooks. Any field may be missing or have another type.

import { findInstant } from '../../contract/instant.ts'
import { LARGE_BODIES, LIMITS } from '../../contract/limits.ts'
import { ApiError } from './api-error.ts'
import { findTooMany } from './count-values.ts'
import { parseJson } from './read-json.ts'

export type Fields = Record<string, unknown>

/** What no store keeps: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/u

/** @throws ApiError `request/invalid-body` for a text that is no JSON; 413 when parsing it would stop everybody else. */
export function parseBody(text: string): unknown {
  const { deliveryValues } = LARGE_BODIES
  const tooMany = text.length > LIMITS.eventBytes ? findTooMany(text, deliveryValues) : undefined
  if (tooMany === 'levels') throw new ApiError('request/invalid-body', { message: 'The body nests too deeply.' })
  if (tooMany === 'values') {
    throw new ApiError('request/payload-too-large', { message: `A delivery has at most ${deliveryValues} values.` })
  }
  try {
    return parseJson(text)
  } catch (cause) {
    throw new ApiError('request/invalid-body', { message: 'The body is not valid JSON.' }, { cause })
  }
}

/** @returns the fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** @returns a text that is not empty; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && !UNSTORABLE.test(value) ? value : null
}

/** @returns epoch ms of a time in any form that `contract/instant.ts` reads, after 1970; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const at = findInstant(value)
  return at !== undefined && at > 0 ? at : undefined
}
