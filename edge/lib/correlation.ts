// The correlation id of a request: the caller's own when it is valid, else a new one (contract section 1).

import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'

const VALID = new RegExp(`^[A-Za-z0-9._-]{1,${LIMITS.correlationIdChars}}$`)

/** Keeps a valid id that the caller sent; replaces any other. */
export function correlationIdOf(sent: string | undefined): string {
  return sent !== undefined && VALID.test(sent) ? sent : randomUUID()
}
