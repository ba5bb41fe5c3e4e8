// Environments: the tenants (specification section 2.2).

import type { AuditEntry } from '../../domain/audit.ts'
import type { Environment, Environments, IdentityProvider, PublicKey } from '../../domain/environment.ts'
import type { EnvironmentLimits } from '../../domain/limits/call-limits.ts'
import type { Secret } from '../../domain/secret.ts'
import { recordAudit } from './audit.ts'
import { insertSecrets } from './secret.ts'
import { type Param, type Sql, toFlag } from './sql.ts'
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
  created_at: number
}
const CHANGING = `name, is_production, allowed_origins, require_expiring_tokens, sdk_key_may_manage, identity_provider, public_key, disabled_at, rate_limits`
const COLUMNS = `id, organisation_id, created_at, ${CHANGING}`

export const environmentWrites = {
  async createEnvironment(
    context: WriteContext,
    environment: Environment,
    secrets: Secret[],
    audit?: AuditEntry,
  ): Promise<void> {
    const { id, organisationId, createdAt } = environment
    await context.sql.run(`INSERT INTO environment (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      id,
      organisationId,
      createdAt,
      ...changingParams(environment),
    ])
    await raiseIdFloor(context, id)
    await insertSecrets(context, secrets)
    if (audit !== undefined) await recordAudit(context, audit)
  },
  async updateEnvironment(context: WriteContext, environment: Environment, audit?: AuditEntry): Promise<void> {
    const assignments = CHANGING.split(', ').map((column) => `${column} = ?`)
    await context.sql.run(`UPDATE environment SET ${assignments.join(', ')} WHERE id = ?`, [
      ...changingParams(environment),
      environment.id,
    ])
    if (audit !== undefined) await recordAudit(context, audit)
  },
}

export function createEnvironments(sql: Sql, writes: Writes<typeof environmentWrites>): Environments {
  return {
    create: writes.createEnvironment,
    update: writes.updateEnvironment,
    async find(id) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS} FROM environment WHERE id = ?`, [id])
      return row && toEnvironment(row)
    },
    async list(organisationId) {
      const rows = await sql.all<Row>(`SELECT ${COLUMNS} FROM environment WHERE organisation_id = ? ORDER BY id`, [
        organisationId,
      ])
      return rows.map(toEnvironment)
    },
  }
}

function changingParams(environment: Environment): Param[] {
  const { identityProvider, publicKey } = environment
  return [
    environment.name,
    toFlag(environment.isProduction),
    JSON.stringify(environment.allowedOrigins),
    toFlag(environment.requireExpiringTokens),
    toFlag(environment.sdkKeyMayManage),
    identityProvider === null ? null : JSON.stringify(identityProvider),
    publicKey === null ? null : JSON.stringify(publicKey),
    environment.disabledAt,
    environment.rateLimits ? JSON.stringify(environment.rateLimits) : null,
  ]
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
    identityProvider: row.identity_provider === null ? null : (JSON.parse(row.identity_provider) as IdentityProvider),
    publicKey: row.public_key === null ? null : (JSON.parse(row.public_key) as PublicKey),
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    rateLimits: row.rate_limits === null ? null : (JSON.parse(row.rate_limits) as EnvironmentLimits),
  }
}
