// Defines invitations and password resets: one-time links whose tokens are stored as hashes only.

import type { Role } from '../../../contract/role.ts'
import type { AuditEntry } from '../audit.ts'
import type { Account } from './person.ts'

export interface Invitation {
  id: number
  organisationId: number
  email: string
  role: Role
  /** The address of the person who invites; null on the command line. */
  invitedBy: string | null
  createdAt: number
  expiresAt: number
  /** Null: no mail server was set. */
  mail: InvitationMail | null
}

/** What became of the mail of an invitation. Its link is stored nowhere, so another mail is another invitation. */
export interface InvitationMail {
  /** `sent`: the mail server took it. `unknown`: it may have. */
  state: 'sending' | 'sent' | 'failed' | 'unknown'
  /** When the state was written (epoch ms). */
  at: number
  /** In words, of `failed` and `unknown`. */
  error: string | null
}

export interface PasswordReset {
  personId: number
  createdAt: number
  expiresAt: number
}

/**
 * `missing`: the link was used, replaced, revoked or is expired. `account-changed`: an account of that e-mail address
 * appeared or changed since it was read.
 */
export type Acceptance = 'accepted' | 'missing' | 'account-changed'

/** `missing`: the organisation has no such invitation; `not-allowed`: its role is another one. */
export type Revoked = 'revoked' | 'missing' | 'not-allowed'

export interface OneTimeLinks {
  /**
   * Replaces an earlier invitation of the same address to the same organisation, if its role is one of `takes`.
   * @returns False when an open one has another role; then nothing is written.
   */
  invite(invitation: Invitation, tokenHash: string, takes: readonly Role[], audit: AuditEntry): Promise<boolean>
  findInvitation(tokenHash: string, now: number): Promise<Invitation | undefined>
  /** Returns the open invitations of an organisation before an id, newest first. */
  listInvitations(organisationId: number, now: number, before: number | null, limit: number): Promise<Invitation[]>
  revokeInvitation(organisationId: number, id: number, takes: readonly Role[], audit: AuditEntry): Promise<Revoked>
  /** Uses the invitation up. `isNew`: the account is created, else its hash must be the stored one. A member keeps the role. */
  acceptInvitation(
    tokenHash: string,
    acceptance: { account: Account; isNew: boolean; now: number },
    audit: AuditEntry,
  ): Promise<Acceptance>
  /** Does nothing for an invitation that was replaced, revoked or accepted. */
  recordMail(invitationId: number, mail: InvitationMail): Promise<void>
  /**
   * Replaces an earlier reset of the person, unless that was created after `keptAfter` (epoch ms).
   * @returns False when the earlier one is kept.
   */
  createReset(reset: PasswordReset, tokenHash: string, keptAfter?: number): Promise<boolean>
  /** With the address of the person. */
  findReset(tokenHash: string, now: number): Promise<(PasswordReset & { email: string }) | undefined>
  /**
   * Uses the reset up, sets the password, ends all sessions and removes the passkeys where wanted, each with an audit entry.
   * @returns Undefined when the link is no longer open.
   */
  applyReset(
    tokenHash: string,
    change: { passwordHash: string; removePasskeys: boolean; now: number },
    audit: AuditEntry,
  ): Promise<{ passkeysRemoved: number } | undefined>
}
