// Stores integrations with providers of mail, their state, and which events of providers were taken.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { IntegrationHealth, MailIntegration, MailIntegrations } from '../../domain/mail/mail-integration.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { recordAudit } from './audit.ts'
import { saveRevised } from './revision.ts'
import { insertRows, type Param, type Sql, withRows } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  environment_id: number
  name: string
  provider: MailProviderName
  sealed: string
  from_name: string | null
  from_address: string | null
  priority: number
  max_per_1000s: number | null
  webhook_id: string
  webhook_password_hash: string | null
  created_at: number
  updated_at: number
  revision: number
  last_sent_at: number | null
  last_error_at: number | null
  last_error: string | null
  last_webhook_at: number | null
}
const HEALTH = 'last_sent_at, last_error_at, last_error, last_webhook_at'
const COLUMNS = `id, environment_id, name, provider, sealed, from_name, from_address, priority, max_per_1000s,
  webhook_id, webhook_password_hash, created_at, updated_at, revision`

const REMEMBER = insertRows(
  'mail_report',
  { integration_id: 'int', event_hash: 'text', at: 'int' },
  'ON CONFLICT (integration_id, event_hash) DO NOTHING RETURNING event_hash',
)

const FIND_EVENTS = withRows(
  { integration_id: 'int', event_hash: 'text' },
  `SELECT r.event_hash FROM given CROSS JOIN mail_report r
    WHERE r.integration_id = given.integration_id AND r.event_hash = given.event_hash`,
)

export const mailIntegrationWrites = {
  async insertMailIntegrationOnce(
    context: WriteContext,
    integration: MailIntegration,
    audit: AuditEntry,
  ): Promise<boolean> {
    const { id, environmentId, name, webhookId, createdAt } = integration
    if (await isNameTaken(context, 'mail_integration', { ownerId: environmentId, id, name })) return false
    const columns = { id, environment_id: environmentId, webhook_id: webhookId, created_at: createdAt, revision: 1 }
    const values: Record<string, Param> = { ...columns, ...changeableOf(integration) }
    const names = Object.keys(values)
    const places = names.map(() => '?').join(', ')
    await context.sql.run(
      `INSERT INTO mail_integration (${names.join(', ')}) VALUES (${places})`,
      Object.values(values),
    )
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
    return true
  },
  async saveMailIntegration(
    context: WriteContext,
    integration: Revised<MailIntegration>,
    audit: AuditEntry,
  ): Promise<'saved' | 'taken' | 'changed'> {
    const { id, environmentId, name, revision } = integration
    if (await isNameTaken(context, 'mail_integration', { ownerId: environmentId, id, name })) return 'taken'
    const where = { environment_id: environmentId, id, revision }
    // Another rate is in effect at once.
    const values = { ...changeableOf(integration), next_permit_at: null }
    if (!(await saveRevised(context, 'mail_integration', where, values))) return 'changed'
    await recordAudit(context, audit)
    return 'saved'
  },
  async removeMailIntegration(
    context: WriteContext,
    environmentId: number,
    id: number,
    revision: number,
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = 'DELETE FROM mail_integration WHERE environment_id = ? AND id = ? AND revision = ?'
    if ((await context.sql.run(text, [environmentId, id, revision])) === 0) return false
    await context.sql.run('DELETE FROM mail_report WHERE integration_id = ?', [id])
    await recordAudit(context, audit)
    return true
  },
  async recordMailHealth({ sql }: WriteContext, id: number, health: Partial<IntegrationHealth>): Promise<void> {
    const { lastSentAt, lastErrorAt, lastError, lastWebhookAt } = health
    const given = Object.entries({
      last_sent_at: lastSentAt,
      last_error_at: lastErrorAt,
      last_error: lastError,
      last_webhook_at: lastWebhookAt,
    }).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
    if (given.length === 0) return
    const assignments = given.map(({ column }) => `${column} = ?`).join(', ')
    await sql.run(`UPDATE mail_integration SET ${assignments} WHERE id = ?`, [...given.map(({ value }) => value), id])
  },
  async rememberMailReports(
    { sql }: WriteContext,
    integrationId: number,
    hashes: string[],
    now: number,
  ): Promise<string[]> {
    const rows = await sql.bulk<{ event_hash: string }>(
      REMEMBER,
      hashes.map((hash) => [integrationId, hash, now]),
    )
    return rows.map((row) => row.event_hash)
  },
  async purgeMailReports({ sql }: WriteContext, before: number): Promise<void> {
    await sql.run('DELETE FROM mail_report WHERE at < ?', [before])
  },
}

export function createMailIntegrations(sql: Sql, writes: Writes<typeof mailIntegrationWrites>): MailIntegrations {
  return {
    insertOnce: writes.insertMailIntegrationOnce,
    save: writes.saveMailIntegration,
    remove: writes.removeMailIntegration,
    recordHealth: writes.recordMailHealth,
    purgeEvents: writes.purgeMailReports,
    async find(environmentId, id) {
      const text = `SELECT ${COLUMNS}, ${HEALTH} FROM mail_integration WHERE id = ? AND environment_id = ?`
      const row = await sql.one<Row>(text, [id, environmentId])
      return row && { ...toIntegration(row), ...toHealth(row) }
    },
    async listOf(environmentId) {
      const text = `SELECT ${COLUMNS}, ${HEALTH} FROM mail_integration WHERE environment_id = ? ORDER BY priority, id`
      const rows = await sql.all<Row>(text, [environmentId])
      return rows.map((row) => ({ ...toIntegration(row), ...toHealth(row) }))
    },
    async findByWebhookId(webhookId) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS} FROM mail_integration WHERE webhook_id = ?`, [webhookId])
      return row && toIntegration(row)
    },
    async findEvents(integrationId, eventIds) {
      const idOf = idsByHash(eventIds)
      const rows = await sql.bulk<{ event_hash: string }>(
        FIND_EVENTS,
        [...idOf.keys()].map((hash) => [integrationId, hash]),
      )
      return new Set(rows.map((row) => idOf.get(row.event_hash) as string))
    },
    async rememberEvents(integrationId, eventIds, now) {
      const idOf = idsByHash(eventIds)
      // One order for all writers, so that two deliveries of the same events never wait for each other.
      const added = await writes.rememberMailReports(integrationId, [...idOf.keys()].sort(), now)
      return new Set(added.map((hash) => idOf.get(hash) as string))
    },
  }
}

const idsByHash = (ids: string[]) => new Map(ids.map((id) => [sha256Hex(id), id]))

/** @returns The columns that a change may write. */
function changeableOf(integration: MailIntegration): Record<string, Param> {
  const { name, provider, sealed, from, priority, maxPerSecond, webhookPasswordHash, updatedAt } = integration
  return {
    name,
    provider,
    sealed,
    from_name: from?.name ?? null,
    from_address: from?.address ?? null,
    priority,
    max_per_1000s: maxPerSecond === null ? null : Math.round(maxPerSecond * 1000),
    webhook_password_hash: webhookPasswordHash,
    updated_at: updatedAt,
  }
}

function toIntegration(row: Row): Revised<MailIntegration> {
  return {
    id: row.id,
    environmentId: row.environment_id,
    name: row.name,
    provider: row.provider,
    sealed: row.sealed,
    from: row.from_address === null ? null : { name: row.from_name, address: row.from_address },
    priority: row.priority,
    maxPerSecond: row.max_per_1000s === null ? null : row.max_per_1000s / 1000,
    webhookId: row.webhook_id,
    webhookPasswordHash: row.webhook_password_hash,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
  }
}

function toHealth(row: Row): IntegrationHealth {
  return {
    lastSentAt: row.last_sent_at,
    lastErrorAt: row.last_error_at,
    lastError: row.last_error,
    lastWebhookAt: row.last_webhook_at,
  }
}
