// Stores the notification configs of organisations.

import { byChannel } from '../../../contract/delivery.ts'
import type { ConfigCategory, ConfigContent } from '../../../contract/resources/notification-config.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { ConfigUses, NotificationConfig, NotificationConfigs } from '../../domain/tenant/notification-config.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { formatId } from '../../lib/id.ts'
import { NOTIFICATION_CONFIG } from '../tables/notification-config.ts'
import { insertOne, type RawRow, type RowOf, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { lockOwner, saveRevised } from './revision.ts'
import { type Sql, withRows } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const FIELDS = ['id', 'organisationId', 'name', 'content', 'createdAt', 'updatedAt'] as const
const REVISED = view(NOTIFICATION_CONFIG, '', [...FIELDS, 'revision'])
const GIVEN = view(NOTIFICATION_CONFIG, 'c', FIELDS)
const INSERT = insertOne(NOTIFICATION_CONFIG, FIELDS)
const FROM_GIVEN = `SELECT ${GIVEN.columns} FROM given CROSS JOIN notification_config c`
const FIND_MANY = withRows({ id: 'int' }, `${FROM_GIVEN} WHERE c.id = given.id`)
const FIND_BY_NAMES = withRows(
  { organisation_id: 'int', name: 'text' },
  `${FROM_GIVEN} WHERE c.organisation_id = given.organisation_id AND c.name = given.name`,
)

export const notificationConfigWrites = {
  async insertConfigOnce(context: WriteContext, config: NotificationConfig, audit: AuditEntry): Promise<boolean> {
    const { id, organisationId, name } = config
    if (await isNameTaken(context, 'notification_config', { ownerId: organisationId, id, name })) return false
    await INSERT(context.sql, { ...config, content: contentOf(config) })
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
    return true
  },
  async saveConfig(
    context: WriteContext,
    config: Revised<NotificationConfig>,
    audit: AuditEntry,
  ): Promise<'saved' | 'taken' | 'changed'> {
    const { id, organisationId, name } = config
    if (await isNameTaken(context, 'notification_config', { ownerId: organisationId, id, name })) return 'taken'
    const row = { ...config, content: contentOf(config) }
    const changing = ['name', 'content', 'updatedAt'] as const
    if (!(await saveRevised(context, NOTIFICATION_CONFIG, ['organisationId', 'id'], changing, row))) return 'changed'
    await recordAudit(context, audit)
    return 'saved'
  },
  async removeConfig(
    context: WriteContext,
    config: Revised<NotificationConfig>,
    audit: AuditEntry,
  ): Promise<ConfigUses | 'changed'> {
    const { id, organisationId, revision } = config
    const { sql } = context
    await lockOwner(context, 'organisation', organisationId)
    const uses = await findUses(sql, config)
    if (uses.environments.length + uses.campaigns.length > 0) return uses
    const text = 'DELETE FROM notification_config WHERE organisation_id = ? AND id = ? AND revision = ?'
    if ((await sql.run(text, [organisationId, id, revision])) === 0) return 'changed'
    await recordAudit(context, audit)
    return uses
  },
}

/** Of each kind, in one answer. */
const NAMED_USES = 20

/** A definition is JSON, in which a text has no bare quotes: no other field matches. */
async function findUses(sql: Sql, { id, organisationId }: NotificationConfig): Promise<ConfigUses> {
  const environments = await sql.all<{ name: string }>(
    'SELECT name FROM environment WHERE organisation_id = ? AND notification_config_id = ? ORDER BY id LIMIT ?',
    [organisationId, id, NAMED_USES],
  )
  const named = `%"notificationConfigId":"${formatId('notificationConfig', id).replace('_', '\\_')}"%`
  const campaigns = await sql.all<{ campaign_key: string }>(
    `SELECT c.campaign_key FROM campaign c WHERE c.environment_id IN (SELECT e.id FROM environment e WHERE e.organisation_id = ?)
      AND c.status <> 'archived' AND (c.draft LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM campaign_version v
        WHERE v.environment_id = c.environment_id AND v.campaign_id = c.id AND v.version = c.current_version AND v.definition LIKE ? ESCAPE '\\'))
      ORDER BY c.id LIMIT ?`,
    [organisationId, named, named, NAMED_USES],
  )
  return {
    environments: environments.map(({ name }) => name),
    campaigns: campaigns.map(({ campaign_key }) => campaign_key),
  }
}

export function createNotificationConfigs(
  sql: Sql,
  writes: Writes<typeof notificationConfigWrites>,
): NotificationConfigs {
  return {
    insertOnce: writes.insertConfigOnce,
    save: writes.saveConfig,
    remove: writes.removeConfig,
    async find(id) {
      const row = await sql.one<RawRow>(`SELECT ${REVISED.columns} FROM notification_config WHERE id = ?`, [id])
      return row && toConfig(REVISED.read(row))
    },
    async findMany(ids) {
      const rows = await sql.bulk<RawRow>(
        FIND_MANY,
        ids.map((id) => [id]),
      )
      return rows.map((row) => toConfig(GIVEN.read(row)))
    },
    async list(organisationId, before, limit) {
      const text = `SELECT ${REVISED.columns} FROM notification_config WHERE organisation_id = ? AND id < ? ORDER BY id DESC LIMIT ?`
      const rows = await sql.all<RawRow>(text, [organisationId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map((row) => toConfig(REVISED.read(row)))
    },
    async findByNames(organisationId, names) {
      const rows = await sql.bulk<RawRow>(
        FIND_BY_NAMES,
        names.map((name) => [organisationId, name]),
      )
      return rows.map((row) => toConfig(GIVEN.read(row)))
    },
  }
}

function contentOf({ categories, widget, email, siteUrl }: NotificationConfig): ConfigContent {
  return { categories, widget, email, siteUrl }
}

function toConfig<T extends RowOf<typeof GIVEN>>({ content, ...row }: T): Omit<T, 'content'> & ConfigContent {
  // Configs from before a field existed have none.
  const { categories, widget, email, siteUrl = null } = content
  return {
    ...row,
    categories: categories.map(withAllChannels),
    widget,
    email: {
      logoUrl: null,
      accentColor: null,
      addressLine: null,
      ...email,
      layoutFormat: email.layoutFormat ?? 'html',
    },
    siteUrl,
  }
}

/** Adds what did not exist when the category was stored. */
function withAllChannels(category: ConfigCategory): ConfigCategory {
  return {
    quietHours: 'delay',
    ...category,
    channels: { ...byChannel(({ defaultOn }) => defaultOn), ...category.channels },
  }
}
