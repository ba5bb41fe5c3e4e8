// Defines single sign-on of an organisation by its OpenID Connect provider, and the identities that it links to people.

import type { NewMemberRole } from '../../../contract/role.ts'
import type { AuditEntry } from '../audit.ts'
import type { DashboardSession } from './dashboard-session.ts'
import type { Account } from './person.ts'

export interface SingleSignOn {
  organisationId: number
  issuer: string
  clientId: string
  /** The client secret, sealed by a master key. */
  sealed: string
  /** Domains of e-mail addresses for which the provider is trusted; lower case. */
  domains: string[]
  /** The role of people who are neither members nor invited; null: they are refused. */
  newMemberRole: NewMemberRole | null
  revision: number
  updatedAt: number
}

/** A provider as its client needs it. */
export interface Provider extends Pick<SingleSignOn, 'issuer' | 'clientId'> {
  clientSecret: string
}

/** The values that bind the answer of the provider to the browser that began. */
export interface SignOnRequest {
  redirectUri: string
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
}

/** What the provider has proved about the person in the browser. */
export interface ProvenIdentity {
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
}

/** The OpenID Connect client. Its functions throw `service/unavailable`, and `auth/unauthenticated` for an answer that is not valid. */
export interface ProviderClient {
  /** Reads the discovery document. @throws ApiError with the reason for the person who configures. */
  confirm(issuer: string): Promise<void>
  /** @returns The address of the provider's page. */
  authorizationUrl(provider: Provider, request: SignOnRequest): Promise<string>
  /** @param answer The address to which the provider sent the browser. */
  readIdentity(provider: Provider, request: SignOnRequest, answer: URL): Promise<ProvenIdentity>
}

/** Who has proved that a domain is of an organisation: a record of its DNS, or the operator of the service. */
export type DomainProver = 'dns' | 'operator'

/** A domain that one organisation alone has proved, so that its provider is believed addresses of it. */
export interface ProvedDomain {
  domain: string
  organisationId: number
  by: DomainProver
  provedAt: number
  checkedAt: number
  /** When a check first missed the record; null while it is there. */
  missingSince: number | null
}

/** `taken`: another organisation has proved it. `not-listed`: the settings do not name it. */
export type DomainProofResult = 'proved' | 'taken' | 'not-listed'

/** A later check of a record. `lost`: it is missing for too long, and the proof is removed. */
export type DomainCheck = 'found' | 'missing' | 'lost'

/**
 * What a person is asked before a provider signs in. `continue`: whether to be this person in this browser. `accept`: whether
 * the provider may sign in to the person's account, which only the person may answer, by own means.
 */
export interface SignOnQuestion {
  ask: 'continue' | 'accept'
  issuer: string
  identity: ProvenIdentity
}

/**
 * What a person has answered. `none`: nothing was asked. `accept`: the person who is signed in by own means lets the provider
 * sign in to the own account.
 */
export type SignOnConsent = 'none' | SignOnQuestion['ask']

/** A sign-in that a provider has proved. */
export interface SignOnAttempt {
  organisationId: number
  /** The settings that were used. */
  revision: number
  issuer: string
  subject: string
  /** Lower case; null when no person may be linked by it. */
  email: string | null
  consent: SignOnConsent
  /** The person who is signed in in this browser; null: nobody. */
  signedInId: number | null
  /** A page of another site began, so that the person is asked in any case. */
  beganElsewhere: boolean
  newMemberRole: NewMemberRole | null
  /** The account of a person who is not known yet. */
  newAccount: Account
  /** Without the id of the person, which the transaction finds. */
  session: Omit<DashboardSession, 'personId'>
  tokenHash: string
  /** `detail.role` of `join` is set by the transaction. */
  audit: { link: AuditEntry; join: AuditEntry }
}

/**
 * `accepted`: the identity is linked, and the person stays in the own session. `continue` and `accept`: the person has to be
 * asked first, and nothing is stored. `changed`: settings or people changed meanwhile. `not-linked`: no person is linked, and
 * none may be by the address. `not-member`: the person is neither member nor invited. `linked-otherwise`: the member is linked
 * to another identity.
 */
export type SignOnResult =
  | 'signed-in'
  | 'accepted'
  | 'changed'
  | 'not-linked'
  | 'not-member'
  | 'linked-otherwise'
  | SignOnQuestion['ask']

export interface SingleSignOns {
  find(organisationId: number): Promise<SingleSignOn | undefined>
  /**
   * Saves at the revision that was read (null: none). `endsLinks`: also removes links and ends sessions of the former provider.
   * @returns False when it was changed meanwhile.
   */
  save(settings: SingleSignOn, former: number | null, endsLinks: boolean, audit: AuditEntry): Promise<boolean>
  /** Also removes links and ends sessions. False when it was changed meanwhile. */
  remove(organisationId: number, former: number, audit: AuditEntry): Promise<boolean>
  /** Finds the person of the identity, or links one, and stores the session. */
  signIn(attempt: SignOnAttempt): Promise<SignOnResult>
  /** @returns The e-mail address of the member whom an identity is linked to. */
  findLinkedEmail(organisationId: number, issuer: string, subject: string): Promise<string | undefined>
  listProved(organisationId: number): Promise<ProvedDomain[]>
  /** Stores the proof of a listed domain, also in place of an earlier one of the organisation. */
  proveDomain(proof: ProvedDomain, audit: AuditEntry): Promise<DomainProofResult>
  /** Returns proofs by DNS that were last checked before an instant, the oldest first. */
  listUnchecked(before: number, limit: number): Promise<ProvedDomain[]>
  /** Records a later check of a proof as it was read; writes the entry unless a record stays found or missing. */
  recordCheck(proof: ProvedDomain, check: DomainCheck, now: number, audit: AuditEntry): Promise<void>
}
