// Defines the session of a person in the dashboard. Its token is stored as a hash only.

import type { Membership, Person } from './person.ts'

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
}

/** A live session with its person and the roles that the person has now. */
export interface SignedIn {
  session: DashboardSession
  person: Person
  memberships: Membership[]
}

export interface DashboardSessions {
  /**
   * Creates the session of a person who proved the password of a stored hash.
   * @returns False when the person has another hash by now, so that no session outlives a change of the password.
   */
  create(session: DashboardSession, tokenHash: string, passwordHash: string): Promise<boolean>
  /** Reads the store at each call, so that ended sessions and roles have no delay on any node. */
  find(tokenHash: string, now: number): Promise<SignedIn | undefined>
  /** Returns the live sessions of a person, newest first. */
  list(personId: number, now: number): Promise<DashboardSession[]>
  /** False when the person has no such session. */
  end(personId: number, id: number): Promise<boolean>
  touch(id: number, now: number): Promise<void>
  /** Also removes expired invitations and resets. */
  purgeExpired(now: number): Promise<void>
}
