// Stores campaigns and their versions.

import type { AuditEntry } from '../../domain/audit.ts'
import {
  type AskedPublish,
  type Campaign,
  type CampaignFilter,
  type CampaignStatus,
  type Campaigns,
  type CampaignVersion,
  LIVE_BYTES,
  type LiveCampaign,
  type NewVersion,
} from '../../domain/campaign.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { groupByWeight } from '../../lib/group-by-weight.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
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
import { containing, foldText } from './beginning.ts'
import { insertJobs } from './job.ts'
import { saveRevised } from './revision.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const VIEW = view(CAMPAIGN, '', CAMPAIGN_FIELDS)
const STORED = view(CAMPAIGN, '', CAMPAIGN_STORED)
const LIVE_FIELDS = CAMPAIGN_FIELDS.filter((name): name is Exclude<typeof name, 'draft'> => name !== 'draft')
const LIVE = view(CAMPAIGN, 'c', LIVE_FIELDS)
const VERSION = view(CAMPAIGN_VERSION, '', [
  'campaignId',
  'version',
  'publishedAt',
  'definition',
  'texts',
  'publishedBy',
  'note',
])
const LIVE_VERSION = view(CAMPAIGN_VERSION, 'v', ['campaignId', 'definition', 'texts'])
const LIVE_ROWS = `campaign c JOIN campaign_version v
  ON v.environment_id = c.environment_id AND v.campaign_id = c.id AND v.version = c.current_version
  WHERE c.environment_id = ? AND c.status IN ('active', 'paused')`
const BYTES = '(octet_length(v.definition) + COALESCE(octet_length(v.texts), 0))'
const VERSIONS_OF = withRows(
  { environment_id: 'int', campaign_id: 'int', version: 'int' },
  `SELECT ${LIVE_VERSION.columns} FROM given CROSS JOIN campaign_version v WHERE v.environment_id = given.environment_id
    AND v.campaign_id = given.campaign_id AND v.version = given.version`,
)
/** Versions that are read together; one that is larger is read alone. */
const READ_TOGETHER_BYTES = 1024 * 1024
const INSERT_ONCE = insertOne(
  CAMPAIGN,
  [...CAMPAIGN_FIELDS, 'search'],
  'ON CONFLICT (environment_id, campaign_key) DO NOTHING',
)
const INSERT_VERSION = insertOne(CAMPAIGN_VERSION)

/** These rows are never removed, because runs of an old version may still wait for the name. */
const INSERT_AWAITED = insertInto(AWAITED_NAME, undefined, 'ON CONFLICT (environment_id, name) DO NOTHING')

export const campaignWrites = {
  async insertCampaignOnce(context: WriteContext, campaign: Campaign, audit?: AuditEntry): Promise<boolean> {
    if ((await INSERT_ONCE(context.sql, { ...campaign, search: searchOf(campaign) })) === 0) return false
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
  ): Promise<boolean | 'full'> {
    const { id, environmentId } = campaign
    const row = { publishState: null, publishRequest: null, search: searchOf(campaign), ...campaign }
    if (publishes !== null && (await isFull(context.sql, environmentId, publishes))) return 'full'
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

const searchOf = ({ name, key }: Campaign) => foldText(`${name}\n${key}`)

function toVersionRow(environmentId: number, { campaignId, version, publishedAt, definition, ...rest }: NewVersion) {
  const { texts = null, publishedBy = null, note = null } = rest
  return { environmentId, campaignId, version, publishedAt, definition, texts, publishedBy, note }
}

async function isFull(
  sql: Sql,
  environmentId: number,
  { campaignId, definition, texts }: NewVersion,
): Promise<boolean> {
  const own = Buffer.byteLength(JSON.stringify(definition)) + Buffer.byteLength(JSON.stringify(texts ?? null))
  const text = `SELECT SUM(${BYTES}) AS bytes FROM ${LIVE_ROWS} AND c.id <> ?`
  const others = await sql.one<{ bytes: number | null }>(text, [environmentId, campaignId])
  return own + Number(others?.bytes ?? 0) > LIVE_BYTES
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
      const sizes = await sql.all<Size>(
        `SELECT id AS place, octet_length(draft) AS bytes FROM campaign WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ?`,
        [...params, before ?? FIRST, limit + 1],
      )
      const { first, last, next } = cutBySize(sizes, limit)
      const text = `SELECT ${STORED.columns} FROM campaign WHERE ${where} AND id BETWEEN ? AND ? ORDER BY id DESC`
      const rows = await sql.all<RawRow>(text, [...params, last, first])
      return { data: rows.map(STORED.read), next }
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
      const sizes = await sql.all<Size>(
        `SELECT v.version AS place, ${BYTES} AS bytes FROM campaign_version v
          WHERE v.environment_id = ? AND v.campaign_id = ? AND v.version < ? ORDER BY v.version DESC LIMIT ?`,
        [environmentId, campaignId, before ?? FIRST, limit + 1],
      )
      const { first, last, next } = cutBySize(sizes, limit)
      const text = `SELECT ${VERSION.columns} FROM campaign_version
        WHERE environment_id = ? AND campaign_id = ? AND version BETWEEN ? AND ? ORDER BY version DESC`
      const rows = await sql.all<RawRow>(text, [environmentId, campaignId, last, first])
      return { data: rows.map(readVersion), next }
    },
    async findVersion(environmentId, campaignId, version) {
      const text = `SELECT ${VERSION.columns} FROM campaign_version
        WHERE environment_id = ? AND campaign_id = ? AND version = ?`
      const row = await sql.one<RawRow>(text, [environmentId, campaignId, version])
      return row && readVersion(row)
    },
    listLive: (environmentId, known) => listLive(sql, environmentId, known),
  }
}

/** Before the newest. */
const FIRST = Number.MAX_SAFE_INTEGER
/** Of the definitions of one page; one that is larger is a page alone. */
const PAGE_BYTES = 4 * 1024 * 1024

interface Size {
  place: number
  bytes: number
}

/** @returns The places of the first and the last row of the page, 0 for an empty one; `next`: null at the end of the list. */
function cutBySize(sizes: readonly Size[], limit: number): { first: number; last: number; next: number | null } {
  let count = 0
  for (let bytes = 0; count < Math.min(limit, sizes.length) && bytes < PAGE_BYTES; count++)
    bytes += Number(sizes[count]?.bytes)
  const last = sizes[count - 1]?.place ?? 0
  return { first: sizes[0]?.place ?? 0, last, next: count < sizes.length ? last : null }
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
    conditions.push(String.raw`search LIKE ? ESCAPE '\'`)
    params.push(containing(q))
  }
  return { where: conditions.join(' AND '), params }
}

type Definition = Pick<LiveCampaign, 'definition' | 'texts'>

/** In groups with other work in between: reading and parsing all of them at once would stop everybody else. */
async function listLive(
  sql: Sql,
  environmentId: number,
  known: (campaignId: number, version: number) => Definition | undefined = () => undefined,
): Promise<LiveCampaign[]> {
  const rows = await sql.all<RawRow & { live_version: number; bytes: number }>(
    `SELECT ${LIVE.columns}, v.version AS live_version, ${BYTES} AS bytes FROM ${LIVE_ROWS} ORDER BY c.id`,
    [environmentId],
  )
  const heads = rows.map((row) => ({ campaign: LIVE.read(row), version: row.live_version, bytes: Number(row.bytes) }))
  const found = new Map<number, Definition>()
  for (const { campaign, version } of heads) {
    const kept = known(campaign.id, version)
    if (kept !== undefined) found.set(campaign.id, kept)
  }
  const unknown = heads.filter(({ campaign }) => !found.has(campaign.id))
  const endSlice = createTimeSlices()
  for (const group of groupByWeight(unknown, ({ bytes }) => bytes, READ_TOGETHER_BYTES)) {
    const read = await sql.bulk<RawRow>(
      VERSIONS_OF,
      group.map(({ campaign, version }) => [environmentId, campaign.id, version]),
    )
    for (const row of read) {
      const { campaignId, ...definition } = LIVE_VERSION.read(row)
      found.set(campaignId, withTexts(definition))
    }
    await endSlice()
  }
  return heads.flatMap(({ campaign, version }) => {
    const definition = found.get(campaign.id)
    return definition === undefined ? [] : [{ campaign, version, ...definition }]
  })
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
