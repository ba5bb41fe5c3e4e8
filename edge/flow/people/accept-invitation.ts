// Accepts invitations to an organisation by their one-time links.

import { newPassword } from '../../../contract/resources/person.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Account } from '../../domain/people/person.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import { ApiError } from '../../lib/api-error.ts'
import { findFaults } from '../../lib/check-schema.ts'
import { hashToken } from '../../lib/one-time-token.ts'
import type { SignInOrigin, SignInPerson, SignInStep } from './sign-in-person.ts'

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
export function createAcceptInvitation(
  deps: Pick<Core, 'oneTimeLinks' | 'people' | 'ids' | 'clock'> & {
    passwords: { hash(password: string): Promise<string> }
    /** @throws ApiError `auth/unauthenticated`. */
    getAccount(email: string, password: string): Promise<Account>
    beginSession: SignInPerson['begin']
  },
) {
  const { oneTimeLinks, people, clock, ids } = deps

  async function newAccount(email: string, { name, password }: AcceptanceInput): Promise<Account> {
    // The password of a known account is verified instead, as in any sign-in.
    const details = findFaults(newPassword, password, 'password')
    if (details.length > 0) throw new ApiError('request/invalid-body', { details })
    const given = parseName(name ?? email.split('@')[0]?.slice(0, 100) ?? '')
    const passwordHash = await deps.passwords.hash(password)
    return { id: ids.person.next(), email, name: given, passwordHash, createdAt: clock.now() }
  }

  /** @throws ApiError `request/not-found` for the link, `auth/unauthenticated` for the password, `request/conflict`. */
  return async function acceptInvitation(input: AcceptanceInput, origin: SignInOrigin): Promise<SignInStep> {
    const hash = hashToken('invitation', input.token)
    const invitation = hash === undefined ? undefined : await oneTimeLinks.findInvitation(hash, clock.now())
    if (hash === undefined || invitation === undefined) throw linkMissing()
    const { email, role, organisationId } = invitation
    const isNew = (await people.findAccount(email)) === undefined
    const account = isNew ? await newAccount(email, input) : await deps.getAccount(email, input.password)
    const by: ChangedBy = { actor: 'dashboard', who: email, correlationId: origin.correlationId }
    const target = { environmentId: null, organisationId, subject: email }
    const entry = { at: clock.now(), ...by, action: 'member.accept-invitation', ...target, detail: { role } }
    const result = await oneTimeLinks.acceptInvitation(hash, { account, isNew, now: clock.now() }, entry)
    if (result === 'missing') throw linkMissing()
    if (result === 'account-changed') {
      throw new ApiError('request/conflict', { message: 'The account was changed meanwhile. Try again.' })
    }
    return deps.beginSession(account, undefined, origin)
  }
}
