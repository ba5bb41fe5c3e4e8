// Creates organisations, people and sessions for the store suites, each with new ids and addresses.

import type { Role } from '../../../contract/role.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { DashboardSession, SessionProof } from '../../domain/people/dashboard-session.ts'
import type { Invitation } from '../../domain/people/one-time-link.ts'
import type { Account } from '../../domain/people/person.ts'
import { type Given, HOUR } from './given.ts'

export const AUDIT: AuditEntry = {
  at: 5,
  actor: 'cli',
  who: 'root',
  action: 'member.change',
  environmentId: null,
  subject: 'a',
  detail: {},
}

/** The proof of a password, of a person without a second factor. */
export const proofOf = (passwordHash: string): SessionProof => ({
  by: 'password',
  passwordHash,
  factor: null,
  challengeHash: null,
})

/** Returns functions that create rows, each with new ids and addresses. */
export function givenPeople(given: Given) {
  return {
    async organisation(onboardedAt: number | null = 1): Promise<number> {
      const id = given.id()
      await given.stores.organisations.create({
        id,
        name: `Organisation ${id}`,
        region: 'eu',
        onboardedAt,
        retentionDays: 90,
        createdAt: 1,
      })
      return id
    },
    account(): Account {
      const id = given.id()
      return { id, email: `person${id}@example.com`, name: 'A person', passwordHash: `hash ${id}`, createdAt: 1 }
    },
    async member(organisationId: number, role: Role): Promise<Account> {
      const account = this.account()
      await given.stores.people.addMember(organisationId, account, role, AUDIT)
      return account
    },
    draftSession(personId: number, organisationId: number | null = null): DashboardSession {
      const now = given.now()
      const times = { createdAt: now, lastUsedAt: now, expiresAt: now + 12 * HOUR }
      return { id: given.id(), personId, userAgent: 'Firefox', ...times, organisationId }
    },
    async session({ id: personId, passwordHash }: Account): Promise<{ session: DashboardSession; token: string }> {
      const session = this.draftSession(personId)
      const { id } = session
      const result = await given.stores.dashboardSessions.create(session, `token ${id}`, proofOf(passwordHash))
      if (result !== 'created') throw new Error(`The session was not created: ${result}.`)
      return { session, token: `token ${id}` }
    },
    invitation(organisationId: number, email: string, role: Role = 'editor'): Invitation {
      const now = given.now()
      const times = { createdAt: now, expiresAt: now + HOUR }
      return { id: given.id(), organisationId, email, role, invitedBy: 'ada@example.com', ...times, mail: null }
    },
  }
}
