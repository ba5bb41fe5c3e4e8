// Notification configs of organisations (contract section 11).

import type { AuditEntry } from '../../../domain/audit.ts'
import type {
  ConfigContent,
  NotificationConfig,
  NotificationConfigs,
} from '../../../domain/tenant/notification-config.ts'
import { recordAudit } from '../audit.ts'
import { type Sql, withRows } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'

interface Row {
  id: number
  organisation_id: number
  name: string
  content: string
  created_at: number
  updated_at: number
}
const COLUMNS = 'id, organisation_id, name, content, created_at, updated_at'
const FIND_MANY = withRows(
  { id: 'int' },
  `SELECT c.id, c.organisation_id, c.name, c.content, c.created_at, c.updated_at
    FROM given CROSS JOIN notification_config c WHERE c.id = given.id`,
)

export const notificationConfigWrites = {
  async insertConfigOnce(context: WriteContext, config: NotificationConfig, audit: AuditEntry): Promise<boolean> {
    const { id, organisationId, name, createdAt, updatedAt } = config
    const inserted = await context.sql.run(
      `INSERT INTO notification_config (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (organisation_id, name) DO NOTHING`,
      [id, organisationId, name, contentOf(config), createdAt, updatedAt],
    )
    if (inserted === 0) return false
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
    return true
  },
  async saveConfig(context: WriteContext, config: NotificationConfig, audit: AuditEntry): Promise<boolean> {
    const { id, organisationId, name, updatedAt } = config
    const saved = await context.sql.run(
      `UPDATE notification_config SET name = ?, content = ?, updated_at = ? WHERE organisation_id = ? AND id = ?
        AND NOT EXISTS (SELECT 1 FROM notification_config o WHERE o.organisation_id = ? AND o.name = ? AND o.id <> ?)`,
      [name, contentOf(config), updatedAt, organisationId, id, organisationId, name, id],
    )
    if (saved > 0) await recordAudit(context, audit)
    return saved > 0
  },
}

export function createNotificationConfigs(
  sql: Sql,
  writes: Writes<typeof notificationConfigWrites>,
): NotificationConfigs {
  return {
    insertOnce: writes.insertConfigOnce,
    save: writes.saveConfig,
    async find(id) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS} FROM notification_config WHERE id = ?`, [id])
      return row && toConfig(row)
    },
    async findMany(ids) {
      const rows = await sql.bulk<Row>(
        FIND_MANY,
        ids.map((id) => [id]),
      )
      return rows.map(toConfig)
    },
    async list(organisationId, before, limit) {
      const text = `SELECT ${COLUMNS} FROM notification_config WHERE organisation_id = ? AND id < ? ORDER BY id DESC LIMIT ?`
      const rows = await sql.all<Row>(text, [organisationId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(toConfig)
    },
    async findByName(organisationId, name) {
      const text = `SELECT ${COLUMNS} FROM notification_config WHERE organisation_id = ? AND name = ?`
      const row = await sql.one<Row>(text, [organisationId, name])
      return row && toConfig(row)
    },
  }
}

function contentOf({ categories, widget, email }: NotificationConfig): string {
  const content: ConfigContent = { categories, widget, email }
  return JSON.stringify(content)
}

function toConfig(row: Row): NotificationConfig {
  return {
    id: row.id,
    organisationId: row.organisation_id,
    name: row.name,
    ...(JSON.parse(row.content) as ConfigContent),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
