// Describes the tables of the people of the dashboard, and of what they sign in with.

import type { NewMemberRole, Role } from '../../../contract/role.ts'
import type { Challenge, ChallengeDetail, ChallengeKind } from '../../domain/people/challenge.ts'
import type { DashboardSession } from '../../domain/people/dashboard-session.ts'
import type { Invitation, InvitationMail, PasswordReset } from '../../domain/people/one-time-link.ts'
import type { StoredPasskey } from '../../domain/people/passkey.ts'
import type { Account } from '../../domain/people/person.ts'
import type { Totp } from '../../domain/people/second-factor.ts'
import type { DomainProver, ProvedDomain, SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { type ColumnsOf, integer, json, namesOf, orNull, table, text, textOf } from './table.ts'

export const PERSON = table('person', {
  id: integer(),
  email: text(),
  name: text(),
  passwordHash: text(),
  createdAt: integer(),
} satisfies ColumnsOf<Account>)

export const MEMBERSHIP = table('membership', {
  organisationId: integer(),
  personId: integer(),
  role: textOf<Role>(),
  createdAt: integer(),
})

const session = {
  id: integer(),
  personId: integer(),
  userAgent: text(),
  createdAt: integer(),
  lastUsedAt: integer(),
  expiresAt: integer(),
  organisationId: orNull(integer()),
} satisfies ColumnsOf<DashboardSession>

export const DASHBOARD_SESSION = table('dashboard_session', { ...session, tokenHash: text() })

export const SESSION_FIELDS = namesOf(session)

const invitation = {
  id: integer(),
  organisationId: integer(),
  email: text(),
  role: textOf<Role>(),
  invitedBy: orNull(text()),
  createdAt: integer(),
  expiresAt: integer(),
} satisfies ColumnsOf<Omit<Invitation, 'mail'>>

const invitationMail = {
  /** Null: no mail server was set. */
  mailState: orNull(textOf<InvitationMail['state']>()),
  mailAt: orNull(integer()),
  mailError: orNull(text()),
}

export const INVITATION = table('invitation', { ...invitation, ...invitationMail, tokenHash: text() })

export const INVITATION_FIELDS = [...namesOf(invitation), ...namesOf(invitationMail)] as const

export const PASSWORD_RESET = table('password_reset', {
  ...({ personId: integer(), createdAt: integer(), expiresAt: integer() } satisfies ColumnsOf<PasswordReset>),
  tokenHash: text(),
})

const totp = {
  personId: integer(),
  sealed: text(),
  lastStep: integer(),
  createdAt: integer(),
  confirmedAt: orNull(integer()),
} satisfies ColumnsOf<Totp>

export const TOTP = table('totp', {
  ...totp,
  attempts: integer(),
  retryAt: integer(),
  /** Of attempts in browsers that signed in before. */
  knownAttempts: integer(),
  knownRetryAt: integer(),
})

export const TOTP_FIELDS = namesOf(totp)

export const RECOVERY_CODE = table('recovery_code', { personId: integer(), codeHash: text() })

export const PASSKEY = table('passkey', {
  id: integer(),
  personId: integer(),
  credentialId: text(),
  publicKey: text(),
  counter: integer(),
  transports: json<string[]>(),
  name: text(),
  createdAt: integer(),
  lastUsedAt: orNull(integer()),
} satisfies ColumnsOf<StoredPasskey>)

export const SINGLE_SIGN_ON = table('single_sign_on', {
  organisationId: integer(),
  issuer: text(),
  clientId: text(),
  sealed: text(),
  domains: json<string[]>(),
  newMemberRole: orNull(textOf<NewMemberRole>()),
  revision: integer(),
  updatedAt: integer(),
} satisfies ColumnsOf<SingleSignOn>)

export const PROVED_DOMAIN = table('proved_domain', {
  domain: text(),
  organisationId: integer(),
  by: textOf<DomainProver>('proved_by'),
  provedAt: integer(),
  checkedAt: integer(),
  missingSince: orNull(integer()),
} satisfies ColumnsOf<ProvedDomain>)

export const LINKED_IDENTITY = table('linked_identity', {
  organisationId: integer(),
  issuer: text(),
  subject: text(),
  personId: integer(),
  linkedAt: integer(),
})

const challenge = {
  kind: textOf<ChallengeKind>(),
  personId: orNull(integer()),
  organisationId: orNull(integer()),
  passwordHash: orNull(text()),
  expiresAt: integer(),
} satisfies ColumnsOf<Omit<Challenge, 'detail'>>

export const SIGN_IN_CHALLENGE = table('sign_in_challenge', {
  ...challenge,
  detail: orNull(json<ChallengeDetail>()),
  tokenHash: text(),
  attempts: integer(),
})

export const CHALLENGE_FIELDS = [...namesOf(challenge), 'detail'] as const
