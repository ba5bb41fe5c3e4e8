// Invites people to an organisation by one-time links, and accepts invitations.

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Invitation, OneTimeLinks } from '../../domain/people/one-time-link.ts'
import { parseEmail, parsePassword } from '../../domain/people/parse-person.ts'
import type { Account, People, Role } from '../../domain/people/person.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { type IdSource, parseId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { changeStored } from '../tenant/change-stored.ts'
import { type ActingMember, requireMayGive } from './manage-members.ts'
import type { SignInOrigin, SignInPerson, SignInPersonDeps, SignInStep } from './sign-in-person.ts'

/** Seven days. */
const INVITATION_MS = 7 * 24 * 60 * 60 * 1000

export interface InviteMembersDeps {
  links: OneTimeLinks
  ids: { invitation: IdSource }
  clock: Clock
  /** @returns The address of the page that accepts the token. */
  linkOf(token: string): string
}

export type InviteMembers = ReturnType<typeof createInviteMembers>

export function createInviteMembers({ links, ids, clock, linkOf }: InviteMembersDeps) {
  function auditOf(organisationId: number, by: ChangedBy, verb: string, subject: string, detail: AuditEntry['detail']) {
    return { at: clock.now(), ...by, action: `member.${verb}`, environmentId: null, organisationId, subject, detail }
  }

  return {
    /** @returns The invitation and its link, which must never be in an answer. Throws `authorization/not-allowed`. */
    async invite(organisationId: number, address: string, role: Role, acting: ActingMember) {
      requireMayGive(acting, role)
      const email = parseEmail(address)
      return changeStored('invitation', async () => {
        const { token, hash } = newToken('invitation')
        const createdAt = clock.now()
        const times = { createdAt, expiresAt: createdAt + INVITATION_MS }
        const invitation: Invitation = { id: ids.invitation.next(), organisationId, email, role, ...times }
        await links.invite(invitation, hash, auditOf(organisationId, acting.by, 'invite', email, { role }))
        return { invitation, link: linkOf(token) }
      })
    },

    async list(organisationId: number, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const name = { list: 'invitations', of: organisationId }
      const rows = await links.listInvitations(organisationId, clock.now(), parseCursor(name, cursor), limit + 1)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return { invitations: rows.slice(0, limit), nextCursor: last === undefined ? null : encodeCursor(name, last.id) }
    },

    /** Throws `request/not-found`. */
    async revoke(organisationId: number, invitationId: string, by: ChangedBy): Promise<{ revoked: true }> {
      const id = parseId('invitation', invitationId)
      const entry = auditOf(organisationId, by, 'revoke-invitation', invitationId, {})
      if (id === undefined || !(await links.revokeInvitation(organisationId, id, entry))) {
        throw new ApiError('request/not-found', { message: 'There is no such invitation.' })
      }
      return { revoked: true }
    },
  }
}

export interface AcceptInvitationDeps {
  links: OneTimeLinks
  people: Pick<People, 'findAccount'>
  passwords: Pick<SignInPersonDeps['passwords'], 'hash'>
  /** @throws ApiError `auth/unauthenticated`. */
  getAccount(email: string, password: string): Promise<Account>
  beginSession: SignInPerson['begin']
  ids: { person: IdSource }
  clock: Clock
}

export interface AcceptanceInput {
  token: string
  /** For a new account; absent: the part of the address before the `@`. */
  name?: string | undefined
  /** The password of the existing account, or of the new one. */
  password: string
}

/** The error of a link that was used, replaced, revoked or is expired. */
export function linkMissing(): ApiError {
  return new ApiError('request/not-found', { message: 'This link was used or replaced, or is expired.' })
}

export type AcceptInvitation = ReturnType<typeof createAcceptInvitation>

/** Creates the function that makes a person a member and begins a session; a second factor is asked for after it. */
export function createAcceptInvitation(deps: AcceptInvitationDeps) {
  const { links, people, clock, ids } = deps

  async function newAccount(email: string, { name, password }: AcceptanceInput): Promise<Account> {
    parsePassword(password)
    const given = parseName(name ?? email.split('@')[0]?.slice(0, 100) ?? '')
    const passwordHash = await deps.passwords.hash(password)
    return { id: ids.person.next(), email, name: given, passwordHash, createdAt: clock.now() }
  }

  /** @throws ApiError `request/not-found` for the link, `auth/unauthenticated` for the password, `request/conflict`. */
  return async function acceptInvitation(input: AcceptanceInput, origin: SignInOrigin): Promise<SignInStep> {
    const hash = hashToken('invitation', input.token)
    const invitation = hash === undefined ? undefined : await links.findInvitation(hash, clock.now())
    if (hash === undefined || invitation === undefined) throw linkMissing()
    const { email, role, organisationId } = invitation
    const isNew = (await people.findAccount(email)) === undefined
    const account = isNew ? await newAccount(email, input) : await deps.getAccount(email, input.password)
    const by: ChangedBy = { actor: 'dashboard', who: email, correlationId: origin.correlationId }
    const target = { environmentId: null, organisationId, subject: email }
    const entry = { at: clock.now(), ...by, action: 'member.accept-invitation', ...target, detail: { role } }
    const result = await links.acceptInvitation(hash, { account, isNew, now: clock.now() }, entry)
    if (result === 'missing') throw linkMissing()
    if (result === 'account-changed') {
      throw new ApiError('request/conflict', { message: 'The account was changed meanwhile. Try again.' })
    }
    return deps.beginSession(account, undefined, origin)
  }
}
