// Stores integrations with providers of mail, their state, and which events of providers were taken.

import type { AuditEntry } from '../../domain/audit.ts'
import type { IntegrationHealth, MailIntegration, MailIntegrations } from '../../domain/mail/mail-integration.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { HEALTH_FIELDS, INTEGRATION_FIELDS, MAIL_INTEGRATION, MAIL_REPORT } from '../tables/mail-integration.ts'
import { columnName, insertInto, insertOne, type RawRow, type RowOf, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { saveRevised } from './revision.ts'
import { type Sql, withRows } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const VIEW = view(MAIL_INTEGRATION, '', INTEGRATION_FIELDS)
const WITH_HEALTH = view(MAIL_INTEGRATION, '', [...INTEGRATION_FIELDS, ...HEALTH_FIELDS])
const INSERT = insertOne(MAIL_INTEGRATION, INTEGRATION_FIELDS)
const CHANGING = [
  ...(['name', 'provider', 'sealed', 'fromName', 'fromAddress', 'priority', 'maxPer1000s'] as const),
  ...(['webhookPasswordHash', 'updatedAt', 'nextPermitAt'] as const),
]

const REMEMBER = insertInto(
  MAIL_REPORT,
  undefined,
  'ON CONFLICT (environment_id, integration_id, event_hash) DO NOTHING RETURNING event_hash',
)

const FIND_EVENTS = withRows(
  { environment_id: 'int', integration_id: 'int', event_hash: 'text' },
  `SELECT r.event_hash FROM given CROSS JOIN mail_report r
    WHERE r.environment_id = given.environment_id AND r.integration_id = given.integration_id AND r.event_hash = given.event_hash`,
)

export const mailIntegrationWrites = {
  async insertMailIntegrationOnce(
    context: WriteContext,
    integration: MailIntegration,
    audit: AuditEntry,
  ): Promise<boolean> {
    const { id, environmentId, name } = integration
    if (await isNameTaken(context, 'mail_integration', { ownerId: environmentId, id, name })) return false
    await INSERT(context.sql, { ...toRow(integration), revision: 1 })
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
    // Another rate is in effect at once.
    const row = { ...toRow(integration), revision, nextPermitAt: null }
    if (!(await saveRevised(context, MAIL_INTEGRATION, ['environmentId', 'id'], CHANGING, row))) return 'changed'
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
    const reports = 'DELETE FROM mail_report WHERE environment_id = ? AND integration_id = ?'
    await context.sql.run(reports, [environmentId, id])
    await recordAudit(context, audit)
    return true
  },
  async recordMailHealth(
    { sql }: WriteContext,
    environmentId: number,
    id: number,
    health: Partial<IntegrationHealth>,
  ): Promise<void> {
    const given = HEALTH_FIELDS.flatMap((field) => {
      const value = health[field]
      return value === undefined ? [] : [{ column: columnName(MAIL_INTEGRATION, field), value }]
    })
    if (given.length === 0) return
    const assignments = given.map(({ column }) => `${column} = ?`).join(', ')
    const text = `UPDATE mail_integration SET ${assignments} WHERE environment_id = ? AND id = ?`
    await sql.run(text, [...given.map(({ value }) => value), environmentId, id])
  },
  async rememberMailReports(
    { sql }: WriteContext,
    environmentId: number,
    integrationId: number,
    hashes: string[],
    now: number,
  ): Promise<string[]> {
    const rows = await REMEMBER.write<{ event_hash: string }>(
      sql,
      hashes.map((eventHash) => ({ environmentId, integrationId, eventHash, at: now })),
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
      const text = `SELECT ${WITH_HEALTH.columns} FROM mail_integration WHERE environment_id = ? AND id = ?`
      const row = await sql.one<RawRow>(text, [environmentId, id])
      return row && toIntegration(WITH_HEALTH.read(row))
    },
    async listOf(environmentId) {
      const text = `SELECT ${WITH_HEALTH.columns} FROM mail_integration WHERE environment_id = ? ORDER BY priority, id`
      const rows = await sql.all<RawRow>(text, [environmentId])
      return rows.map((row) => toIntegration(WITH_HEALTH.read(row)))
    },
    async findByWebhookId(webhookId) {
      const row = await sql.one<RawRow>(`SELECT ${VIEW.columns} FROM mail_integration WHERE webhook_id = ?`, [
        webhookId,
      ])
      return row && toIntegration(VIEW.read(row))
    },
    async findEvents(environmentId, integrationId, eventIds) {
      const idOf = idsByHash(eventIds)
      const rows = await sql.bulk<{ event_hash: string }>(
        FIND_EVENTS,
        [...idOf.keys()].map((hash) => [environmentId, integrationId, hash]),
      )
      return new Set(rows.map((row) => idOf.get(row.event_hash) as string))
    },
    async rememberEvents(environmentId, integrationId, eventIds, now) {
      const idOf = idsByHash(eventIds)
      // One order for all writers, so that two deliveries of the same events never wait for each other.
      const hashes = [...idOf.keys()].sort()
      const added = await writes.rememberMailReports(environmentId, integrationId, hashes, now)
      return new Set(added.map((hash) => idOf.get(hash) as string))
    },
  }
}

const idsByHash = (ids: string[]) => new Map(ids.map((id) => [sha256Hex(id), id]))

function toRow({ from, maxPerSecond, ...own }: MailIntegration) {
  const maxPer1000s = maxPerSecond === null ? null : Math.round(maxPerSecond * 1000)
  return { ...own, fromName: from?.name ?? null, fromAddress: from?.address ?? null, maxPer1000s }
}

function toIntegration<T extends RowOf<typeof VIEW>>({ fromName, fromAddress, maxPer1000s, ...own }: T) {
  return {
    ...own,
    from: fromAddress === null ? null : { name: fromName, address: fromAddress },
    maxPerSecond: maxPer1000s === null ? null : maxPer1000s / 1000,
  }
}
