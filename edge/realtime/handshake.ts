// Verifies the handshake of a socket: its session, its origin, and the client's position in the change log.

import type { ErrorCode } from '../../contract/errors.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Handshake } from './presence.ts'

export interface HandshakeDeps {
  /** @throws ApiError `auth/invalid-session` */
  verifySession(token: string | undefined): Promise<WidgetSession>
  /** Whether pages of this origin may open sockets for users of the environment. */
  isOriginAllowed(environmentId: number, origin: string): Promise<boolean>
}

/**
 * Verifies session and origin.
 * @param origin Undefined for clients other than browsers, which send none.
 * @throws ApiError `auth/invalid-session`
 */
export async function verifyHandshake(
  deps: HandshakeDeps,
  auth: unknown,
  origin: string | undefined,
): Promise<Handshake> {
  const fields = typeof auth === 'object' && auth !== null ? (auth as Record<string, unknown>) : {}
  const token = typeof fields.token === 'string' ? fields.token : undefined
  const session = await deps.verifySession(token)
  if (token === undefined) throw new ApiError('auth/invalid-session')
  if (origin !== undefined && !(await deps.isOriginAllowed(session.environmentId, origin))) {
    throw new ApiError('auth/invalid-session', { message: 'Pages of this origin may not connect.' })
  }
  return { token, session, since: findSeq(fields.since), epoch: findEpoch(fields.epoch) }
}

/** @returns The seq; null for anything else. */
export function findSeq(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

function findEpoch(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** @returns The error of `connect_error`. A server error has its own code, so that clients keep their session. */
export function toRefusal(error: unknown): Error {
  const code: ErrorCode = error instanceof ApiError ? error.code : 'service/unavailable'
  return Object.assign(new Error(new ApiError(code).message), { data: { code } })
}
