// Defines the environment: the tenant of every key and every query.

import type { EmailSandbox, EnvironmentContents, EnvironmentLimits } from '../../contract/resources/environment.ts'
import type { IdentityProvider, PublicKey } from '../../contract/resources/token-keys.ts'
import type { PublishRole } from '../../contract/role.ts'
import type { AuditEntry } from './audit.ts'
import type { Secret } from './secret.ts'
import type { Revised, SavedName } from './tenant/revised.ts'

export interface Environment {
  id: number
  organisationId: number
  name: string
  isProduction: boolean
  /** Exact origins or one leading `*.`; empty: any. */
  allowedOrigins: string[]
  requireExpiringTokens: boolean
  sdkKeyMayManage: boolean
  /** Whether a second person must approve what a person publishes. */
  requirePublishApproval: boolean
  /** The least role of people who may publish, or approve it. */
  publishRole: PublishRole
  identityProvider: IdentityProvider | null
  publicKey: PublicKey | null
  disabledAt: number | null
  /** The notification config of campaigns that name none; null: none. */
  notificationConfigId: number | null
  createdAt: number
  /** Limits of calls per minute that replace the deployment's; absent or null: no replacement. */
  rateLimits?: EnvironmentLimits | null
  /** Paths in its mails begin there; absent or null: at PUBLIC_URL. */
  siteUrl?: string | null
  /** Schemes of apps that links may have; absent: none. */
  appSchemes?: readonly string[]
  /** Which mails leave it; absent or null: as `sandboxOf` has it. */
  emailSandbox?: EmailSandbox | null
  /** Since when nothing of it is served; absent or null: it is open. */
  closedAt?: number | null
  /** Why it is closed; null while it is open. */
  closedFor?: ClosedFor | null
  /** The address to which it moved, as the operator told it. */
  movedTo?: string | null
  /** When it was last exported or imported: sessions of another deployment may name its users since then. */
  movedAt?: number | null
}

/** `import`: some of its rows are missing, and it cannot be opened. `exported`: opened here, it may be served twice. */
export type ClosedFor = 'operator' | 'exported' | 'import'

/** `last`: the only environment of its organisation stays. `changed`: it was changed or removed since it was read. */
export type RemovedEnvironment = 'removed' | 'last' | 'changed'

/** `nothing-left`: also while another node removes its rows. Rows may appear for an hour: of calls that were under way. */
export type ErasureStep = 'more' | 'nothing-left'

export interface Environments {
  /**
   * Creates it with its secrets and its audit entry, if given, in one transaction. The first one of an organisation
   * completes the onboarding. False when another environment of the organisation has its name.
   */
  create(environment: Environment, secrets: Secret[], audit?: AuditEntry): Promise<boolean>
  /** Writes the audit entry, if given, in the same transaction. */
  update(environment: Revised<Environment>, audit?: AuditEntry): Promise<SavedName>
  /** Hides it, and refuses its keys, sessions and sources; `eraseStep` removes what it has. Writes the audit entry. */
  remove(
    environment: Revised<Pick<Environment, 'id' | 'organisationId'>>,
    audit: AuditEntry,
  ): Promise<RemovedEnvironment>
  /** Lists the removed environments that may have rows. */
  listErasures(): Promise<number[]>
  /** Removes a bounded number of rows of a removed environment. */
  eraseStep(environmentId: number, now: number): Promise<ErasureStep>
  countContents(environmentId: number): Promise<EnvironmentContents>
  find(id: number): Promise<Revised<Environment> | undefined>
  list(organisationId: number): Promise<Environment[]>
  /** Reads when each environment of an organisation received its newest event; those without an event are absent. */
  listLastEvents(organisationId: number): Promise<{ environmentId: number; receivedAt: number }[]>
}
