// Stores environments, which are the tenants.

import type { IdentityProvider } from '../../../contract/resources/token-keys.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Environment, Environments } from '../../domain/environment.ts'
import type { Secret } from '../../domain/secret.ts'
import type { Revised, SavedName } from '../../domain/tenant/revised.ts'
import { formatId } from '../../lib/id.ts'
import { ENVIRONMENT, ENVIRONMENT_CHANGING, ENVIRONMENT_FIELDS } from '../tables/environment.ts'
import { insertOne, type RawRow, type RowOf, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { createEnvironmentErasures, type environmentErasureWrites } from './environment-erasure.ts'
import { saveRevised } from './revision.ts'
import { insertSecrets } from './secret.ts'
import type { Sql } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const VIEW = view(ENVIRONMENT, '', ENVIRONMENT_FIELDS)
const REVISED = view(ENVIRONMENT, '', [...ENVIRONMENT_FIELDS, 'revision'])
const INSERT = insertOne(ENVIRONMENT, ENVIRONMENT_FIELDS)

export const environmentWrites = {
  async createEnvironment(
    context: WriteContext,
    environment: Environment,
    secrets: Secret[],
    audit?: AuditEntry,
  ): Promise<boolean> {
    const { id, organisationId, name } = environment
    if (await isNameTaken(context, 'environment', { ownerId: organisationId, id, name })) return false
    await INSERT(context.sql, toRow(environment))
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
    const { id, organisationId, name } = environment
    if (await isNameTaken(context, 'environment', { ownerId: organisationId, id, name })) return 'taken'
    const row = { ...toRow(environment), revision: environment.revision }
    const isSaved = await saveRevised(context, ENVIRONMENT, ['id'], ENVIRONMENT_CHANGING, row)
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
      const row = await sql.one<RawRow>(`SELECT ${REVISED.columns} FROM environment WHERE id = ?`, [id])
      return row && toEnvironment(REVISED.read(row))
    },
    async list(organisationId) {
      const text = `SELECT ${VIEW.columns} FROM environment WHERE organisation_id = ? ORDER BY id`
      return (await sql.all<RawRow>(text, [organisationId])).map((row) => toEnvironment(VIEW.read(row)))
    },
    async listLastEvents(organisationId) {
      // The key of events finds the newest one of each environment.
      return sql.all<{ environmentId: number; receivedAt: number }>(
        `SELECT e.environment_id AS "environmentId", e.received_at AS "receivedAt" FROM environment o CROSS JOIN tracked_event e
           WHERE o.organisation_id = ? AND e.environment_id = o.id
             AND e.id = (SELECT MAX(n.id) FROM tracked_event n WHERE n.environment_id = o.id)`,
        [organisationId],
      )
    },
  }
}

/** Absent fields are null. */
function toRow(environment: Environment) {
  const { rateLimits = null, emailSandbox = null, siteUrl = null, appSchemes } = environment
  const { closedAt = null, closedFor = null, movedTo = null, movedAt = null } = environment
  const absent = { rateLimits, emailSandbox, siteUrl, closedAt, closedFor, movedTo, movedAt }
  return { ...environment, ...absent, appSchemes: appSchemes?.length ? appSchemes : null }
}

/** Providers that were registered before the setting name their client by `aud`. */
function toEnvironment<T extends RowOf<typeof VIEW>>(row: T) {
  const { identityProvider: provider, appSchemes } = row
  const identityProvider: IdentityProvider | null = provider && { clientClaim: 'aud', ...provider }
  return { ...row, identityProvider, appSchemes: appSchemes ?? [] }
}
