// Stores campaigns and their versions.

import type { AuditEntry } from '../../domain/audit.ts'
import type {
  Campaign,
  CampaignFilter,
  CampaignStatus,
  Campaigns,
  CampaignVersion,
  LiveCampaign,
  NewVersion,
  StoredDefinition,
} from '../../domain/campaign.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { recordAudit } from './audit.ts'
import { containing } from './beginning.ts'
import { insertJobs } from './job.ts'
import { saveRevised } from './revision.ts'
import { insertRows, type Param, type Sql, toFlag } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  environment_id: number
  campaign_key: string
  name: string
  category: string | null
  status: CampaignStatus
  current_version: number | null
  drains: number
  resumed_at: number | null
  draft: string
  created_at: number
  updated_at: number
  revision: number
}
interface VersionRow {
  campaign_id: number
  version: number
  published_at: number
  definition: string
  texts: string | null
}
const COLUMNS =
  'id, environment_id, campaign_key, name, category, status, current_version, drains, resumed_at, draft, created_at, updated_at'
const COLUMNS_WITH_REVISION = `${COLUMNS}, revision`
const VERSION_COLUMNS = 'campaign_id, version, published_at, definition, texts'

/** These rows are never removed, because runs of an old version may still wait for the name. */
const INSERT_AWAITED = insertRows(
  'awaited_name',
  { environment_id: 'int', name: 'text' },
  'ON CONFLICT (environment_id, name) DO NOTHING',
)

export const campaignWrites = {
  async insertCampaignOnce(context: WriteContext, campaign: Campaign, audit?: AuditEntry): Promise<boolean> {
    const { id, environmentId, key, name, category, status, currentVersion, drains, resumedAt, draft } = campaign
    const inserted = await context.sql.run(
      `INSERT INTO campaign (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (environment_id, campaign_key) DO NOTHING`,
      [
        id,
        environmentId,
        key,
        name,
        category,
        status,
        currentVersion,
        toFlag(drains),
        resumedAt,
        JSON.stringify(draft),
        campaign.createdAt,
        campaign.updatedAt,
      ],
    )
    if (inserted === 0) return false
    await raiseIdFloor(context, id)
    if (audit !== undefined) await recordAudit(context, audit)
    return true
  },
  async saveCampaign(
    context: WriteContext,
    campaign: Revised<Campaign>,
    publishes: NewVersion | null,
    audit?: AuditEntry,
    job?: NewJob,
  ): Promise<boolean> {
    const { id, environmentId, revision, name, category, status, currentVersion, drains, resumedAt, draft } = campaign
    const columns = {
      name,
      category,
      status,
      current_version: currentVersion,
      drains: toFlag(drains),
      resumed_at: resumedAt,
      draft: JSON.stringify(draft),
      updated_at: campaign.updatedAt,
    }
    const isSaved = await saveRevised(context, 'campaign', { environment_id: environmentId, id, revision }, columns)
    if (!isSaved) return false
    if (publishes !== null) {
      const { campaignId, version, publishedAt, definition, texts, awaits } = publishes
      await context.sql.run(`INSERT INTO campaign_version (${VERSION_COLUMNS}) VALUES (?, ?, ?, ?, ?)`, [
        campaignId,
        version,
        publishedAt,
        JSON.stringify(definition),
        texts === undefined ? null : JSON.stringify(texts),
      ])
      await context.sql.bulk(
        INSERT_AWAITED,
        awaits.map((name) => [environmentId, name]),
      )
    }
    if (audit !== undefined) await recordAudit(context, audit)
    if (job !== undefined) await addRunsJob(context, id, job)
    return true
  },
}

/** Adds the job that continues or ends the waiting runs of a campaign, unless no run waits. */
async function addRunsJob({ sql }: WriteContext, campaignId: number, job: NewJob): Promise<void> {
  if ((await sql.one('SELECT 1 AS one FROM run_wait WHERE campaign_id = ? LIMIT 1', [campaignId])) === undefined) return
  await insertJobs(sql, [job])
}

export function createCampaigns(sql: Sql, writes: Writes<typeof campaignWrites>): Campaigns {
  return {
    insertOnce: writes.insertCampaignOnce,
    save: writes.saveCampaign,
    async find(environmentId, id) {
      const text = `SELECT ${COLUMNS_WITH_REVISION} FROM campaign WHERE environment_id = ? AND id = ?`
      const row = await sql.one<Row>(text, [environmentId, id])
      return row && toRevised(row)
    },
    async findByKey(environmentId, key) {
      const text = `SELECT ${COLUMNS} FROM campaign WHERE environment_id = ? AND campaign_key = ?`
      const row = await sql.one<Row>(text, [environmentId, key])
      return row && toCampaign(row)
    },
    async list(environmentId, before, limit, filter = {}) {
      const { where, params } = whereOf(environmentId, filter)
      const text = `SELECT ${COLUMNS_WITH_REVISION} FROM campaign WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ?`
      const rows = await sql.all<Row>(text, [...params, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(toRevised)
    },
    async count(environmentId, filter) {
      const { where, params } = whereOf(environmentId, filter)
      const text = `SELECT status, COUNT(*) AS count FROM campaign WHERE ${where} GROUP BY status`
      const rows = await sql.all<{ status: CampaignStatus; count: number }>(text, params)
      return new Map(rows.map(({ status, count }) => [status, Number(count)]))
    },
    async listVersions(campaignId, before, limit) {
      const text = `SELECT ${VERSION_COLUMNS} FROM campaign_version WHERE campaign_id = ? AND version < ? ORDER BY version DESC LIMIT ?`
      const rows = await sql.all<VersionRow>(text, [campaignId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(toVersion)
    },
    async findVersion(campaignId, version) {
      const text = `SELECT ${VERSION_COLUMNS} FROM campaign_version WHERE campaign_id = ? AND version = ?`
      const row = await sql.one<VersionRow>(text, [campaignId, version])
      return row && toVersion(row)
    },
    listLive: (environmentId) => listLive(sql, environmentId),
  }
}

function whereOf(environmentId: number, { status, q }: CampaignFilter): { where: string; params: Param[] } {
  const conditions = ['environment_id = ?']
  const params: Param[] = [environmentId]
  if (status !== undefined) {
    conditions.push('status = ?')
    params.push(status)
  }
  if (q !== undefined) {
    conditions.push(String.raw`(LOWER(name) LIKE ? ESCAPE '\' OR LOWER(campaign_key) LIKE ? ESCAPE '\')`)
    params.push(containing(q), containing(q))
  }
  return { where: conditions.join(' AND '), params }
}

async function listLive(sql: Sql, environmentId: number): Promise<LiveCampaign[]> {
  const columns = COLUMNS.split(', ').map((column) => `c.${column}`)
  const rows = await sql.all<Row & { version: number; definition: string; texts: string | null }>(
    `SELECT ${columns.join(', ')}, v.version, v.definition, v.texts FROM campaign c
      JOIN campaign_version v ON v.campaign_id = c.id AND v.version = c.current_version
      WHERE c.environment_id = ? AND c.status IN ('active', 'paused') ORDER BY c.id`,
    [environmentId],
  )
  return rows.map((row) => ({
    campaign: toCampaign(row),
    version: row.version,
    definition: JSON.parse(row.definition) as StoredDefinition,
    ...toTexts(row.texts),
  }))
}

const toRevised = (row: Row): Revised<Campaign> => ({ ...toCampaign(row), revision: row.revision })

function toCampaign(row: Row): Campaign {
  return {
    id: row.id,
    environmentId: row.environment_id,
    key: row.campaign_key,
    name: row.name,
    category: row.category,
    status: row.status,
    currentVersion: row.current_version,
    drains: row.drains === 1,
    resumedAt: row.resumed_at,
    draft: JSON.parse(row.draft) as StoredDefinition,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toVersion(row: VersionRow): CampaignVersion {
  return {
    campaignId: row.campaign_id,
    version: row.version,
    publishedAt: row.published_at,
    definition: JSON.parse(row.definition) as StoredDefinition,
    ...toTexts(row.texts),
  }
}

function toTexts(texts: string | null): { texts?: CampaignTexts } {
  return texts === null ? {} : { texts: JSON.parse(texts) as CampaignTexts }
}
