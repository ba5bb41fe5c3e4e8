// Resets forgotten passwords by one-time links.

import type { ChangedBy } from '../../domain/audit.ts'
import type { OneTimeLinks } from '../../domain/people/one-time-link.ts'
import { normaliseEmail, parsePassword } from '../../domain/people/parse-person.ts'
import type { People } from '../../domain/people/person.ts'
import type { Clock } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { linkMissing } from './invite-members.ts'

/** One hour. */
const RESET_MS = 60 * 60 * 1000

export interface ResetPasswordDeps {
  links: OneTimeLinks
  people: Pick<People, 'findAccount'>
  hashPassword(password: string): Promise<string>
  clock: Clock
  /** @returns The address of the page that sets the new password. */
  linkOf(token: string): string
}

export type ResetPassword = ReturnType<typeof createResetPassword>

export function createResetPassword({ links, people, hashPassword, clock, linkOf }: ResetPasswordDeps) {
  return {
    /** @returns The link, which must never be in an answer; undefined for an unknown address. */
    async createLink(email: string): Promise<string | undefined> {
      const account = await people.findAccount(normaliseEmail(email))
      if (account === undefined) return undefined
      const { token, hash } = newToken('reset')
      const createdAt = clock.now()
      await links.createReset({ personId: account.id, createdAt, expiresAt: createdAt + RESET_MS }, hash)
      return linkOf(token)
    },

    /** Ends all sessions of the person. Throws `request/not-found` for the link, `request/invalid-body`. */
    async apply(token: string, password: string, correlationId: string): Promise<void> {
      parsePassword(password)
      const hash = hashToken('reset', token)
      // Read first, because the hash of a password takes long.
      const reset = hash === undefined ? undefined : await links.findReset(hash, clock.now())
      if (hash === undefined || reset === undefined) throw linkMissing()
      const subject = formatId('person', reset.personId)
      const by: ChangedBy = { actor: 'dashboard', who: subject, correlationId }
      const now = clock.now()
      const entry = { at: now, ...by, action: 'person.reset-password', environmentId: null, subject, detail: {} }
      if (!(await links.applyReset(hash, { passwordHash: await hashPassword(password), now }, entry)))
        throw linkMissing()
    },
  }
}
