// The environment: the tenant that every key resolves to and every query is bound to (specification section 2.2, contract section 11).

import type { AuditEntry } from './audit.ts'
import type { EnvironmentLimits } from './limits/call-limits.ts'
import type { Secret } from './secret.ts'

/** A registered identity provider (`authType: jwt`, contract section 4). */
export interface IdentityProvider {
  issuer: string
  audience: string
  jwksUrl: string
  algorithms: string[]
  claims: ClaimPaths
}

/** A registered public key (`authType: signedJwt`). `key` is PEM text or a JWK as JSON text. */
export interface PublicKey {
  algorithm: string
  key: string
  claims: ClaimPaths
}

/** Dotted paths into the claims; `userId` defaults to `sub`. */
export interface ClaimPaths {
  userId: string
  email?: string
  name?: string
  locale?: string
}

export interface Environment {
  id: number
  organisationId: number
  name: string
  isProduction: boolean
  /** Exact origins or one leading `*.`; empty: any. */
  allowedOrigins: string[]
  requireExpiringTokens: boolean
  sdkKeyMayManage: boolean
  identityProvider: IdentityProvider | null
  publicKey: PublicKey | null
  disabledAt: number | null
  createdAt: number
  /** Calls a minute in place of the deployment's; absent or null: those. */
  rateLimits?: EnvironmentLimits | null
}

export interface Environments {
  /** With its secrets, and with the audit entry when there is one: all in one transaction, or nothing. */
  create(environment: Environment, secrets: Secret[], audit?: AuditEntry): Promise<void>
  /** With the audit entry in the same transaction, when there is one. */
  update(environment: Environment, audit?: AuditEntry): Promise<void>
  find(id: number): Promise<Environment | undefined>
  list(organisationId: number): Promise<Environment[]>
}
