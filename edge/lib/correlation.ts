// Determines the correlation id of a request: the id of the caller when it is valid, else a new one.

import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import { systemClock } from './clock.ts'

const VALID = new RegExp(`^[A-Za-z0-9._-]{1,${LIMITS.correlationIdChars}}$`)

/** @returns The id that the caller sent when it is valid, else a new one. */
export function correlationIdOf(sent: string | undefined): string {
  return sent !== undefined && VALID.test(sent) ? sent : newCorrelationId()
}

/** Creates a UUID of version 7 (RFC 9562): it begins with the time, so that the index of the history grows at its end. */
function newCorrelationId(): string {
  const ms = systemClock.now().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`
}
