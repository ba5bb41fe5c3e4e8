// Defines the session of a person in the dashboard. Its token is stored as a hash only.

import type { AuditEntry } from '../audit.ts'
import type { Membership, Person } from './person.ts'
import type { FactorProof } from './second-factor.ts'

/** Twelve hours. */
export const DASHBOARD_SESSION_MS = 12 * 60 * 60 * 1000

export interface DashboardSession {
  id: number
  personId: number
  /** The browser as it named itself; shown in the list of sessions. */
  userAgent: string
  createdAt: number
  lastUsedAt: number
  expiresAt: number
  /** The only organisation that a session of its single sign-on reaches; null: all organisations of the person. */
  organisationId: number | null
}

/** What a sign-in has proved. All of it must still hold in the transaction that stores the session. */
export type SessionProof =
  | {
      by: 'password'
      passwordHash: string
      /** Null: the person has no second factor. */
      factor: FactorProof | null
      /** The challenge that the session uses up; null for a sign-in in one call. */
      challengeHash: string | null
    }
  | { by: 'passkey'; passkeyId: number; formerCounter: number; counter: number }

/**
 * `changed`: what was proved is no longer stored. `factor-missing`: the person has a second factor by now. `code-used`:
 * the code was accepted before. `challenge-ended`: the challenge was used before.
 */
export type SessionResult = 'created' | 'changed' | 'factor-missing' | 'code-used' | 'challenge-ended'

/** A live session with its person and the roles that the person has now. */
export interface SignedIn {
  session: DashboardSession
  person: Person
  memberships: Membership[]
}

export interface DashboardSessions {
  /** Creates the session if its proof still holds, so that no session outlives a change of password or second factor. */
  create(session: DashboardSession, tokenHash: string, proof: SessionProof, audit?: AuditEntry): Promise<SessionResult>
  /** Reads the store at each call, so that ended sessions and roles have no delay on any node. */
  find(tokenHash: string, now: number): Promise<SignedIn | undefined>
  /** Returns the live sessions of a person, newest first. */
  list(personId: number, now: number): Promise<DashboardSession[]>
  /** False when the person has no such session. */
  end(personId: number, id: number): Promise<boolean>
  touch(id: number, now: number): Promise<void>
  /** Also removes expired invitations, resets and challenges, and secrets that were not confirmed in time. */
  purgeExpired(now: number): Promise<void>
}
