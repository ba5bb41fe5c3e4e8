// Describes the tables of environments and of their deletion.

import type { EmailSandbox, EnvironmentLimits } from '../../../contract/resources/environment.ts'
import type { IdentityProvider, PublicKey } from '../../../contract/resources/token-keys.ts'
import type { PublishRole } from '../../../contract/role.ts'
import type { ClosedFor, Environment } from '../../domain/environment.ts'
import { boolean, type ColumnsOf, integer, json, namesOf, orNull, table, text, textOf } from './table.ts'

/** Providers that were registered before the setting have none. */
type StoredProvider = Omit<IdentityProvider, 'clientClaim'> & Partial<Pick<IdentityProvider, 'clientClaim'>>

/** Columns that a change may write. */
const changing = {
  name: text(),
  isProduction: boolean(),
  allowedOrigins: json<string[]>(),
  requireExpiringTokens: boolean(),
  sdkKeyMayManage: boolean(),
  requirePublishApproval: boolean(),
  publishRole: textOf<PublishRole>(),
  identityProvider: orNull(json<StoredProvider>()),
  publicKey: orNull(json<PublicKey>()),
  disabledAt: orNull(integer()),
  rateLimits: orNull(json<EnvironmentLimits>()),
  emailSandbox: orNull(json<EmailSandbox>()),
  notificationConfigId: orNull(integer()),
  siteUrl: orNull(text()),
  appSchemes: orNull(json<readonly string[]>()),
  closedAt: orNull(integer()),
  closedFor: orNull(textOf<ClosedFor>()),
  movedTo: orNull(text()),
  movedAt: orNull(integer()),
}

const environment = {
  id: integer(),
  organisationId: integer(),
  createdAt: integer(),
  ...changing,
} satisfies ColumnsOf<Required<Environment>>

export const ENVIRONMENT = table('environment', { ...environment, revision: integer() })

export const ENVIRONMENT_FIELDS = namesOf(environment)
export const ENVIRONMENT_CHANGING = namesOf(changing)

/** Has the deleted environments that may have rows. */
export const ENVIRONMENT_ERASURE = table('environment_erasure', { environmentId: integer(), begunAt: integer() })
