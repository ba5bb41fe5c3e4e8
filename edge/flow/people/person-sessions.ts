// Issues, finds and ends sessions of the dashboard. Every call reads the store, so an ended session ends on all nodes at once.

import type { AuditEntry } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import {
  DASHBOARD_SESSION_MS,
  type DashboardSession,
  type SessionProof,
  type SessionResult,
  type SignedIn,
} from '../../domain/people/dashboard-session.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { wrongCode } from './prove-factor.ts'

const MAX_AGENT_CHARS = 256
/** A write at each call would cost more than the precision is worth. */
const TOUCH_MS = 60_000

/** A new session and its token, which is not stored. */
export interface IssuedSession {
  token: string
  session: DashboardSession
}

export type PersonSessions = ReturnType<typeof createPersonSessions>

export function createPersonSessions({
  dashboardSessions,
  ids,
  clock,
}: Pick<Core, 'dashboardSessions' | 'ids' | 'clock'>) {
  /** @param organisationId The only organisation that the session reaches; null for all of the person. */
  function plan(personId: number, userAgent: string, organisationId: number | null = null) {
    const { token, hash } = newToken('session')
    const now = clock.now()
    const session: DashboardSession = {
      id: ids.dashboardSession.next(),
      personId,
      userAgent: userAgent.replace(/\p{Cc}/gu, ' ').slice(0, MAX_AGENT_CHARS),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: now + DASHBOARD_SESSION_MS,
      organisationId,
    }
    return { token, hash, session }
  }

  /** @returns The sessions of the person; in a session of single sign-on only those of the same organisation. */
  async function list({ person, session: { organisationId: only } }: SignedIn): Promise<DashboardSession[]> {
    const all = await dashboardSessions.list(person.id, clock.now())
    return only === null ? all : all.filter(({ organisationId }) => organisationId === only)
  }

  async function find(token: string | undefined): Promise<SignedIn | undefined> {
    const hash = hashToken('session', token)
    return hash === undefined ? undefined : dashboardSessions.find(hash, clock.now())
  }

  return {
    plan,

    /** @throws ApiError `auth/unauthenticated` when the proof no longer holds, or was used before. */
    async issue(personId: number, userAgent: string, proof: SessionProof, audit?: AuditEntry): Promise<IssuedSession> {
      const { token, hash, session } = plan(personId, userAgent)
      requireCreated(await dashboardSessions.create(session, hash, proof, audit))
      return { token, session }
    },

    find,

    /** @throws ApiError `auth/unauthenticated` for a token that is missing, unknown, ended or expired. */
    async get(token: string | undefined): Promise<SignedIn> {
      const found = await find(token)
      if (found === undefined) throw new ApiError('auth/unauthenticated')
      const now = clock.now()
      // The time of the last use only informs: a store that refuses writes does not end the reading.
      if (now - found.session.lastUsedAt >= TOUCH_MS)
        dashboardSessions.touch(found.session.id, now).catch(() => undefined)
      return found
    },

    list,

    /** @throws ApiError `request/not-found` unless `list` has that session. */
    async end(signedIn: SignedIn, sessionId: string): Promise<void> {
      const id = parseId('dashboardSession', sessionId)
      const found = (await list(signedIn)).find((session) => session.id === id)
      if (found === undefined || !(await dashboardSessions.end(found.personId, found.id))) {
        throw new ApiError('request/not-found', { message: 'You have no such session.' })
      }
    },

    /** Ends a session that may have ended meanwhile. */
    async signOut({ session }: SignedIn): Promise<void> {
      await dashboardSessions.end(session.personId, session.id)
    },
  }
}

function requireCreated(result: SessionResult): void {
  if (result === 'created') return
  if (result === 'code-used') throw wrongCode()
  if (result === 'factor-missing') throw new ApiError('auth/unauthenticated', { reason: 'second-factor-missing' })
  throw new ApiError('auth/unauthenticated', { message: 'The account was changed meanwhile. Sign in again.' })
}
