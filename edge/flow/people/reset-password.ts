// Resets forgotten passwords by one-time links.

import { normaliseEmail } from '../../../contract/resources/person.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import type { Account } from '../../domain/people/person.ts'
import { formatId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { linkMissing } from './accept-invitation.ts'

/** One hour. */
const RESET_MS = 60 * 60 * 1000

export type MakeResetLink = ReturnType<typeof createMakeResetLink>

/**
 * @returns A function that makes a link, which must never be in an answer; undefined for an unknown address, or where an
 * earlier link was made within `keptMs`.
 */
export function createMakeResetLink({
  oneTimeLinks,
  people,
  clock,
  linkOf,
}: Pick<Core, 'oneTimeLinks' | 'people' | 'clock'> & {
  /** @returns The address of the page that sets the new password. */
  linkOf(token: string): string
}) {
  return async function makeResetLink(
    email: string,
    keptMs?: number,
  ): Promise<{ account: Account; link: string } | undefined> {
    const account = await people.findAccount(normaliseEmail(email))
    if (account === undefined) return undefined
    const { token, hash } = newToken('reset')
    const createdAt = clock.now()
    const reset = { personId: account.id, createdAt, expiresAt: createdAt + RESET_MS }
    const keptAfter = keptMs === undefined ? undefined : createdAt - keptMs
    return (await oneTimeLinks.createReset(reset, hash, keptAfter)) ? { account, link: linkOf(token) } : undefined
  }
}

export type ApplyReset = ReturnType<typeof createApplyReset>

export interface ResetInput {
  token: string
  password: string
  /** Of somebody who reset because of a theft: the thief may have added one. Default: they stay. */
  removePasskeys?: boolean | undefined
}

/**
 * @returns A function that sets the password, ends all sessions, and returns the number of removed passkeys. It throws
 * `request/not-found` for the link.
 */
export function createApplyReset({
  oneTimeLinks,
  hashPassword,
  notify,
  clock,
}: Pick<Core, 'oneTimeLinks' | 'clock'> & {
  hashPassword(password: string): Promise<string>
  notify: NotifyPerson
}) {
  return async function applyReset(
    { token, password, removePasskeys = false }: ResetInput,
    correlationId: string,
  ): Promise<{ passkeysRemoved: number }> {
    const hash = hashToken('reset', token)
    // Read first, because the hash of a password takes long.
    const reset = hash === undefined ? undefined : await oneTimeLinks.findReset(hash, clock.now())
    if (hash === undefined || reset === undefined) throw linkMissing()
    const { personId: id, email } = reset
    const subject = formatId('person', id)
    const by: ChangedBy = { actor: 'dashboard', who: subject, correlationId }
    const now = clock.now()
    const entry = { at: now, ...by, action: 'person.reset-password', environmentId: null, subject, detail: {} }
    const change = { passwordHash: await hashPassword(password), removePasskeys, now }
    const applied = await oneTimeLinks.applyReset(hash, change, entry)
    if (applied === undefined) throw linkMissing()
    notify({ id, email }, 'password', correlationId)
    if (applied.passkeysRemoved > 0) notify({ id, email }, 'passkeys-removed', correlationId)
    return applied
  }
}
