// The handshake: who is it, may a page of that origin speak for them, and what do they know already (contract section 5).

import type { ErrorCode } from '../../contract/errors.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Admission } from './member.ts'

export interface AdmissionDeps {
  /** Throws `auth/invalid-session`. */
  verifySession(token: string | undefined): Promise<WidgetSession>
  /** Whether a page of this origin may speak for users of the environment. */
  isOriginAllowed(environmentId: number, origin: string): Promise<boolean>
}

/** Throws `auth/invalid-session`. `origin` is undefined for clients that are no browsers: they send none. */
export async function admit(deps: AdmissionDeps, auth: unknown, origin: string | undefined): Promise<Admission> {
  const fields = typeof auth === 'object' && auth !== null ? (auth as Record<string, unknown>) : {}
  const token = typeof fields.token === 'string' ? fields.token : undefined
  const session = await deps.verifySession(token)
  if (token === undefined) throw new ApiError('auth/invalid-session')
  if (origin !== undefined && !(await deps.isOriginAllowed(session.environmentId, origin))) {
    throw new ApiError('auth/invalid-session', { message: 'Pages of this origin may not connect.' })
  }
  return { token, session, since: findSeq(fields.since), epoch: findEpoch(fields.epoch) }
}

/** A seq, or null for anything else. */
export function findSeq(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

function findEpoch(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** What `connect_error` carries; a fault of ours is told apart, so that no client throws its session away for it. */
export function toRefusal(error: unknown): Error {
  const code: ErrorCode = error instanceof ApiError ? error.code : 'service/unavailable'
  return Object.assign(new Error(new ApiError(code).message), { data: { code } })
}
