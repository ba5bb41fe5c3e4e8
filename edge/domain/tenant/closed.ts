// Refuses the calls of an environment that its operator has closed, such as for a move to another deployment.

import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import type { Environment } from '../environment.ts'

/** A move takes minutes; clients that wait longer than this would notice its end late. */
const RETRY_AFTER_SECONDS = 10

/** What decides whether an environment is served. */
export type Closing = Pick<Environment, 'id' | 'closedAt' | 'closedFor' | 'movedTo'>

export const isClosed = ({ closedAt }: Pick<Environment, 'closedAt'>): boolean => closedAt != null

/** @throws ApiError `environment/closed`, 503 with `Retry-After`, while the environment is closed */
export function refuseClosed(environment: Closing): void {
  if (isClosed(environment)) throw closedError(environment)
}

/** @returns The refusal of a closed environment. It names the address to which the environment moved. */
export function closedError({ id, closedFor, movedTo }: Closing): ApiError {
  const name = `The environment ${formatId('environment', id)}`
  return new ApiError('environment/closed', {
    message: `${name} ${stateOf(closedFor, movedTo)}`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function stateOf(closedFor: Environment['closedFor'], movedTo: Environment['movedTo']): string {
  if (movedTo != null) return `has moved to ${movedTo}. Use that address.`
  if (closedFor === 'exported') return 'is closed here: it moves to another deployment. Try again later.'
  return 'is closed for a while. Try again later.'
}
