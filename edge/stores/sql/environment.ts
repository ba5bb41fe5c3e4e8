// Stores environments, which are the tenants.

import type { EmailSandbox, EnvironmentLimits } from '../../../contract/resources/environment.ts'
import type { IdentityProvider, PublicKey } from '../../../contract/resources/token-keys.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Environment, Environments } from '../../domain/environment.ts'
import type { Secret } from '../../domain/secret.ts'
import type { Revised, SavedName } from '../../domain/tenant/revised.ts'
import { formatId } from '../../lib/id.ts'
import { recordAudit } from './audit.ts'
import { createEnvironmentErasures, type environmentErasureWrites } from './environment-erasure.ts'
import { saveRevised } from './revision.ts'
import { insertSecrets } from './secret.ts'
import { type Param, type Sql, toFlag } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  organisation_id: number
  name: string
  is_production: number
  allowed_origins: string
  require_expiring_tokens: number
  sdk_key_may_manage: number
  identity_provider: string | null
  public_key: string | null
  disabled_at: number | null
  rate_limits: string | null
  email_sandbox: string | null
  notification_config_id: number | null
  site_url: string | null
  app_schemes: string | null
  created_at: number
  revision: number
}
const CHANGING = [
  'name',
  'is_production',
  'allowed_origins',
  'require_expiring_tokens',
  'sdk_key_may_manage',
  'identity_provider',
  'public_key',
  'disabled_at',
  'rate_limits',
  'email_sandbox',
  'notification_config_id',
  'site_url',
  'app_schemes',
] as const
const COLUMNS = ['id', 'organisation_id', 'created_at', ...CHANGING].join(', ')

export const environmentWrites = {
  async createEnvironment(
    context: WriteContext,
    environment: Environment,
    secrets: Secret[],
    audit?: AuditEntry,
  ): Promise<boolean> {
    const { id, organisationId, createdAt, name } = environment
    if (await isNameTaken(context, 'environment', { ownerId: organisationId, id, name })) return false
    const values = [id, organisationId, createdAt, ...Object.values(changingColumns(environment))]
    const places = values.map(() => '?').join(', ')
    await context.sql.run(`INSERT INTO environment (${COLUMNS}) VALUES (${places})`, values)
    await raiseIdFloor(context, id)
    await insertSecrets(context, secrets)
    if (audit !== undefined) await recordAudit(context, audit)
    await completeOnboarding(context, environment, audit)
    return true
  },
  async updateEnvironment(
    context: WriteContext,
    environment: Revised<Environment>,
    audit?: AuditEntry,
  ): Promise<SavedName> {
    const { id, organisationId, name, revision } = environment
    if (await isNameTaken(context, 'environment', { ownerId: organisationId, id, name })) return 'taken'
    const isSaved = await saveRevised(context, 'environment', { id, revision }, changingColumns(environment))
    if (isSaved && audit !== undefined) await recordAudit(context, audit)
    return isSaved ? 'saved' : 'changed'
  },
}

async function completeOnboarding(
  context: WriteContext,
  { organisationId, createdAt }: Environment,
  audit: AuditEntry | undefined,
): Promise<void> {
  const text = 'UPDATE organisation SET onboarded_at = ? WHERE id = ? AND onboarded_at IS NULL'
  const completed = await context.sql.run(text, [createdAt, organisationId])
  if (completed === 0 || audit === undefined) return
  const of = { environmentId: null, organisationId, subject: formatId('organisation', organisationId) }
  const detail = { environment: formatId('environment', audit.environmentId ?? 0) }
  await recordAudit(context, { ...audit, ...of, action: 'org.complete-onboarding', detail })
}

export function createEnvironments(
  sql: Sql,
  writes: Writes<typeof environmentWrites & typeof environmentErasureWrites>,
): Environments {
  return {
    ...createEnvironmentErasures(sql),
    remove: writes.removeEnvironment,
    eraseStep: writes.eraseEnvironmentStep,
    create: writes.createEnvironment,
    update: writes.updateEnvironment,
    async find(id) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS}, revision FROM environment WHERE id = ?`, [id])
      return row && { ...toEnvironment(row), revision: row.revision }
    },
    async list(organisationId) {
      const rows = await sql.all<Row>(`SELECT ${COLUMNS} FROM environment WHERE organisation_id = ? ORDER BY id`, [
        organisationId,
      ])
      return rows.map(toEnvironment)
    },
    async listLastEvents(organisationId) {
      // The newest event of each environment is found in the index of events by environment.
      return sql.all<{ environmentId: number; receivedAt: number }>(
        `SELECT e.environment_id AS "environmentId", e.received_at AS "receivedAt" FROM tracked_event e WHERE e.id IN (
           SELECT (SELECT MAX(id) FROM tracked_event WHERE environment_id = o.id)
           FROM environment o WHERE o.organisation_id = ?)`,
        [organisationId],
      )
    },
  }
}

/** Returns the columns in the order of CHANGING. */
function changingColumns(environment: Environment): Record<(typeof CHANGING)[number], Param> {
  const { identityProvider, publicKey } = environment
  return {
    name: environment.name,
    is_production: toFlag(environment.isProduction),
    allowed_origins: JSON.stringify(environment.allowedOrigins),
    require_expiring_tokens: toFlag(environment.requireExpiringTokens),
    sdk_key_may_manage: toFlag(environment.sdkKeyMayManage),
    identity_provider: identityProvider === null ? null : JSON.stringify(identityProvider),
    public_key: publicKey === null ? null : JSON.stringify(publicKey),
    disabled_at: environment.disabledAt,
    rate_limits: environment.rateLimits ? JSON.stringify(environment.rateLimits) : null,
    email_sandbox: environment.emailSandbox ? JSON.stringify(environment.emailSandbox) : null,
    notification_config_id: environment.notificationConfigId,
    site_url: environment.siteUrl ?? null,
    app_schemes: environment.appSchemes?.length ? JSON.stringify(environment.appSchemes) : null,
  }
}

function toEnvironment(row: Row): Environment {
  return {
    id: row.id,
    organisationId: row.organisation_id,
    name: row.name,
    isProduction: row.is_production === 1,
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
    requireExpiringTokens: row.require_expiring_tokens === 1,
    sdkKeyMayManage: row.sdk_key_may_manage === 1,
    identityProvider: row.identity_provider === null ? null : parseProvider(row.identity_provider),
    publicKey: row.public_key === null ? null : (JSON.parse(row.public_key) as PublicKey),
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    rateLimits: row.rate_limits === null ? null : (JSON.parse(row.rate_limits) as EnvironmentLimits),
    emailSandbox: row.email_sandbox === null ? null : (JSON.parse(row.email_sandbox) as EmailSandbox),
    notificationConfigId: row.notification_config_id,
    siteUrl: row.site_url,
    appSchemes: parseSchemes(row.app_schemes),
  }
}

/** Null: none. */
export function parseSchemes(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[])
}

/** Providers that were registered before the setting name their client by `aud`. */
function parseProvider(text: string): IdentityProvider {
  return { clientClaim: 'aud', ...(JSON.parse(text) as Omit<IdentityProvider, 'clientClaim'>) }
}
