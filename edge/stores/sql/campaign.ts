// Stores campaigns and their versions.

import type { AuditEntry } from '../../domain/audit.ts'
import type {
  AskedPublish,
  Campaign,
  CampaignFilter,
  CampaignStatus,
  Campaigns,
  CampaignVersion,
  LiveCampaign,
  NewVersion,
} from '../../domain/campaign.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import {
  AWAITED_NAME,
  CAMPAIGN,
  CAMPAIGN_CHANGING,
  CAMPAIGN_FIELDS,
  CAMPAIGN_STORED,
  CAMPAIGN_VERSION,
} from '../tables/campaign.ts'
import { insertInto, insertOne, type RawRow, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { containing } from './beginning.ts'
import { insertJobs } from './job.ts'
import { saveRevised } from './revision.ts'
import type { Param, Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const VIEW = view(CAMPAIGN, '', CAMPAIGN_FIELDS)
const STORED = view(CAMPAIGN, '', CAMPAIGN_STORED)
const LIVE = view(CAMPAIGN, 'c', CAMPAIGN_FIELDS)
const VERSION = view(CAMPAIGN_VERSION, '', [
  'campaignId',
  'version',
  'publishedAt',
  'definition',
  'texts',
  'publishedBy',
  'note',
])
const LIVE_VERSION = view(CAMPAIGN_VERSION, 'v', ['version', 'definition', 'texts'])
const INSERT_ONCE = insertOne(CAMPAIGN, CAMPAIGN_FIELDS, 'ON CONFLICT (environment_id, campaign_key) DO NOTHING')
const INSERT_VERSION = insertOne(CAMPAIGN_VERSION)

/** These rows are never removed, because runs of an old version may still wait for the name. */
const INSERT_AWAITED = insertInto(AWAITED_NAME, undefined, 'ON CONFLICT (environment_id, name) DO NOTHING')

export const campaignWrites = {
  async insertCampaignOnce(context: WriteContext, campaign: Campaign, audit?: AuditEntry): Promise<boolean> {
    if ((await INSERT_ONCE(context.sql, campaign)) === 0) return false
    await raiseIdFloor(context, campaign.id)
    if (audit !== undefined) await recordAudit(context, audit)
    return true
  },
  async saveCampaign(
    context: WriteContext,
    campaign: Revised<Campaign> & Partial<AskedPublish>,
    publishes: NewVersion | null,
    audit?: AuditEntry,
    job?: NewJob,
  ): Promise<boolean> {
    const { id, environmentId } = campaign
    const row = { publishState: null, publishRequest: null, ...campaign }
    if (!(await saveRevised(context, CAMPAIGN, ['environmentId', 'id'], CAMPAIGN_CHANGING, row))) return false
    if (publishes !== null) {
      await INSERT_VERSION(context.sql, toVersionRow(environmentId, publishes))
      await INSERT_AWAITED.write(
        context.sql,
        publishes.awaits.map((name) => ({ environmentId, name })),
      )
    }
    if (audit !== undefined) await recordAudit(context, audit)
    if (job !== undefined) await addRunsJob(context, id, job)
    return true
  },
}

function toVersionRow(environmentId: number, { campaignId, version, publishedAt, definition, ...rest }: NewVersion) {
  const { texts = null, publishedBy = null, note = null } = rest
  return { environmentId, campaignId, version, publishedAt, definition, texts, publishedBy, note }
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
      const text = `SELECT ${STORED.columns} FROM campaign WHERE environment_id = ? AND id = ?`
      const row = await sql.one<RawRow>(text, [environmentId, id])
      return row && STORED.read(row)
    },
    async findByKey(environmentId, key) {
      const text = `SELECT ${VIEW.columns} FROM campaign WHERE environment_id = ? AND campaign_key = ?`
      const row = await sql.one<RawRow>(text, [environmentId, key])
      return row && VIEW.read(row)
    },
    async list(environmentId, before, limit, filter = {}) {
      const { where, params } = whereOf(environmentId, filter)
      const text = `SELECT ${STORED.columns} FROM campaign WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ?`
      const rows = await sql.all<RawRow>(text, [...params, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(STORED.read)
    },
    async count(environmentId, filter) {
      const { where, params } = whereOf(environmentId, filter)
      const text = `SELECT status, COUNT(*) AS count, SUM(CASE WHEN publish_state = 'waiting' THEN 1 ELSE 0 END) AS waiting
        FROM campaign WHERE ${where} GROUP BY status`
      const rows = await sql.all<{ status: CampaignStatus; count: number; waiting: number }>(text, params)
      const byStatus = new Map(rows.map(({ status, count }) => [status, Number(count)]))
      return { byStatus, waiting: rows.reduce((sum, { waiting }) => sum + Number(waiting), 0) }
    },
    async listVersions(environmentId, campaignId, before, limit) {
      const text = `SELECT ${VERSION.columns} FROM campaign_version
        WHERE environment_id = ? AND campaign_id = ? AND version < ? ORDER BY version DESC LIMIT ?`
      const rows = await sql.all<RawRow>(text, [environmentId, campaignId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(readVersion)
    },
    async findVersion(environmentId, campaignId, version) {
      const text = `SELECT ${VERSION.columns} FROM campaign_version
        WHERE environment_id = ? AND campaign_id = ? AND version = ?`
      const row = await sql.one<RawRow>(text, [environmentId, campaignId, version])
      return row && readVersion(row)
    },
    listLive: (environmentId) => listLive(sql, environmentId),
  }
}

function whereOf(
  environmentId: number,
  { status, pendingPublish, q }: CampaignFilter,
): { where: string; params: Param[] } {
  const conditions = ['environment_id = ?']
  const params: Param[] = [environmentId]
  if (status !== undefined) {
    conditions.push('status = ?')
    params.push(status)
  }
  if (pendingPublish !== undefined) {
    conditions.push('publish_state = ?')
    params.push(pendingPublish)
  }
  if (q !== undefined) {
    conditions.push(String.raw`(LOWER(name) LIKE ? ESCAPE '\' OR LOWER(campaign_key) LIKE ? ESCAPE '\')`)
    params.push(containing(q), containing(q))
  }
  return { where: conditions.join(' AND '), params }
}

async function listLive(sql: Sql, environmentId: number): Promise<LiveCampaign[]> {
  const rows = await sql.all<RawRow>(
    `SELECT ${LIVE.columns}, ${LIVE_VERSION.columns} FROM campaign c
      JOIN campaign_version v ON v.environment_id = c.environment_id AND v.campaign_id = c.id AND v.version = c.current_version
      WHERE c.environment_id = ? AND c.status IN ('active', 'paused') ORDER BY c.id`,
    [environmentId],
  )
  return rows.map((row) => ({ campaign: LIVE.read(row), ...withTexts(LIVE_VERSION.read(row)) }))
}

function readVersion(row: RawRow): CampaignVersion {
  const { publishedBy, note, ...version } = VERSION.read(row)
  return { ...withTexts(version), ...(publishedBy !== null && { publishedBy }), ...(note !== null && { note }) }
}

function withTexts<T extends { texts: CampaignTexts | null }>({
  texts,
  ...version
}: T): Omit<T, 'texts'> & { texts?: CampaignTexts } {
  return texts === null ? version : { ...version, texts }
}
