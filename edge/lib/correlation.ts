// The correlation id of a request: the caller's own when it is valid, else a new one (contract section 1).

import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import { systemClock } from './clock.ts'

const VALID = new RegExp(`^[A-Za-z0-9._-]{1,${LIMITS.correlationIdChars}}$`)

/** Keeps a valid id that the caller sent; replaces any other. */
export function correlationIdOf(sent: string | undefined): string {
  return sent !== undefined && VALID.test(sent) ? sent : newCorrelationId()
}

/** A UUID of version 7 (RFC 9562): it begins with the time, so that the history's index on it grows at its end. */
function newCorrelationId(): string {
  const ms = systemClock.now().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`
}
