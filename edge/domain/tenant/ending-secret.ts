// Describes old values of secrets that end soon by themselves, and the port that finds them and whom to tell.

import type { StoredSecretKind } from '../secret.ts'

/** An old value of an overlap, with what a mail about it says. */
export interface EndingSecret {
  id: number
  kind: StoredSecretKind
  retiresAt: number
  lastUsedAt: number | null
  environmentId: number
  environmentName: string
  organisationId: number
}

/** What a mail to one admin says. */
export interface EndingMail {
  to: string
  kind: string
  environment: string
  endsAt: string
  /** Null: it was not used. */
  lastUsedAt: string | null
  /** The page of the secret. */
  link: string
  locale: string | undefined
}

/** A person who may rotate the secrets of an organisation. */
export interface SecretAdmin {
  organisationId: number
  email: string
  /** Of the organisation; null before its settings. */
  locale: string | null
}

export interface EndingSecrets {
  /** Counts the live old values that end from `now` until `until`. */
  count(now: number, until: number): Promise<number>
  /** Claims those that nobody was told of, for this caller alone and for good. */
  claim(now: number, until: number, limit: number): Promise<EndingSecret[]>
  /** Lists the admins and owners of organisations. */
  listAdmins(organisationIds: readonly number[]): Promise<SecretAdmin[]>
}
