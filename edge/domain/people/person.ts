// Defines the people who may sign in to the dashboard, and the members of organisations.

import type { Role } from '../../../contract/role.ts'
import type { AuditEntry } from '../audit.ts'

export interface Person {
  id: number
  /** Lower case; unique in the store. */
  email: string
  name: string
}

/** A person with the scrypt hash of the password; empty for a person who never had one (single sign-on). */
export interface Account extends Person {
  passwordHash: string
  createdAt: number
}

/** A person of an organisation. */
export interface Member extends Person {
  role: Role
  /** When the person joined the organisation (epoch ms). */
  createdAt: number
}

export interface Membership {
  organisationId: number
  organisationName: string
  role: Role
  isOnboarded: boolean
}

/** `last-owner`: the organisation would have no owner. `missing`: the person is no member. */
export type MemberChange = 'changed' | 'missing' | 'last-owner'

export interface People {
  findAccount(email: string): Promise<Account | undefined>
  /** Creates the person unless the e-mail address is known, and gives the role. Nothing changes for a member. */
  addMember(organisationId: number, account: Account, role: Role, audit?: AuditEntry): Promise<void>
  /** Returns the members in the order of their ids, newest first, before an id. */
  listMembers(organisationId: number, before: number | null, limit: number): Promise<Member[]>
  /** Returns members with one of these roles, those who joined the service first at the beginning. */
  listByRole(organisationId: number, roles: readonly Role[], limit: number): Promise<Member[]>
  findMember(organisationId: number, personId: number): Promise<Member | undefined>
  /** Returns the organisation that the person joined first. */
  findFirstOrganisation(personId: number): Promise<number | undefined>
  /** `former` is the role that was read: another one is `missing`. */
  changeRole(
    organisationId: number,
    personId: number,
    change: { former: Role; role: Role },
    audit: AuditEntry,
  ): Promise<MemberChange>
  /**
   * Also removes the link of single sign-on, and ends its sessions; of a person without another membership, all sessions.
   * `former` is the role that was read: another one is `missing`.
   */
  removeMember(organisationId: number, personId: number, former: Role, audit: AuditEntry): Promise<MemberChange>
  /**
   * Replaces the hash, ends all sessions except `keptSessionId`, and drops open resets.
   * @returns False when the hash is no longer `former`.
   */
  changePassword(
    personId: number,
    change: { former: string; passwordHash: string; keptSessionId: number | null },
    audit: AuditEntry,
  ): Promise<boolean>
}
