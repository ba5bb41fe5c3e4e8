// Issues, finds and ends sessions of the dashboard. Every call reads the store, so an ended session ends on all nodes at once.

import {
  DASHBOARD_SESSION_MS,
  type DashboardSession,
  type DashboardSessions,
  type SignedIn,
} from '../../domain/people/dashboard-session.ts'
import type { Account } from '../../domain/people/person.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type IdSource, parseId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'

const MAX_AGENT_CHARS = 256
/** A write at each call would cost more than the precision is worth. */
const TOUCH_MS = 60_000

export interface PersonSessionsDeps {
  sessions: DashboardSessions
  ids: { dashboardSession: IdSource }
  clock: Clock
}

export type PersonSessions = ReturnType<typeof createPersonSessions>

export function createPersonSessions({ sessions, ids, clock }: PersonSessionsDeps) {
  return {
    /**
     * @returns The session and its token, which is not stored.
     * @throws ApiError `auth/unauthenticated` when the password was changed since it was verified.
     */
    async issue(
      { id: personId, passwordHash }: Account,
      userAgent: string,
    ): Promise<{ token: string; session: DashboardSession }> {
      const { token, hash } = newToken('session')
      const now = clock.now()
      const session = {
        id: ids.dashboardSession.next(),
        personId,
        userAgent: userAgent.replace(/\p{Cc}/gu, ' ').slice(0, MAX_AGENT_CHARS),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + DASHBOARD_SESSION_MS,
      }
      if (!(await sessions.create(session, hash, passwordHash))) throw new ApiError('auth/unauthenticated')
      return { token, session }
    },

    /** @throws ApiError `auth/unauthenticated` for a token that is missing, unknown, ended or expired. */
    async get(token: string | undefined): Promise<SignedIn> {
      const hash = hashToken('session', token)
      const now = clock.now()
      const found = hash === undefined ? undefined : await sessions.find(hash, now)
      if (found === undefined) throw new ApiError('auth/unauthenticated')
      // The time of the last use only informs: a store that refuses writes does not end the reading.
      if (now - found.session.lastUsedAt >= TOUCH_MS) sessions.touch(found.session.id, now).catch(() => undefined)
      return found
    },

    list: (personId: number) => sessions.list(personId, clock.now()),

    /** @throws ApiError `request/not-found` unless the person has that session. */
    async end(personId: number, sessionId: string): Promise<void> {
      const id = parseId('dashboardSession', sessionId)
      if (id === undefined || !(await sessions.end(personId, id))) {
        throw new ApiError('request/not-found', { message: 'You have no such session.' })
      }
    },

    /** Ends a session that may have ended meanwhile. */
    async signOut({ session }: SignedIn): Promise<void> {
      await sessions.end(session.personId, session.id)
    },
  }
}
