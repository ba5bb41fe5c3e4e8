// Reads the funnel counters: slices of a campaign, its series, totals of an environment; and counts of unsent messages.

import { CHANNELS, type Channel } from '../../../contract/delivery.ts'
import {
  type CampaignDay,
  type FunnelCounts,
  type FunnelPoint,
  type FunnelSlice,
  type Funnels,
  type FunnelUnit,
  type Outcomes,
  type StepFunnel,
  sumCounts,
} from '../../domain/delivery/funnel.ts'
import { idFloorAt } from '../../lib/id.ts'
import { MESSAGE_OF_ITEM } from '../tables/message.ts'
import { ALL_TIME, dayOfRow, dayRow, firstHourOf, HOUR_MS } from './commit/counters.ts'
import type { Sql } from './sql.ts'
import { readStepCounts } from './step-count.ts'

interface SliceRow extends FunnelCounts {
  version: number
  branch: string
}

/** @returns The SQL of a sum, as a number on both engines. */
export const sum = (expression: string, name: string) => `CAST(SUM(${expression}) AS BIGINT) AS "${name}"`
/** The sums of the counters, named as the steps of the funnel. */
export const SUMS = [
  sum('deliveries', 'delivery'),
  sum('reads', 'read'),
  sum('opens', 'opened'),
  sum('clicks', 'clicked'),
].join(', ')

export function createFunnelReads(sql: Sql): Omit<Funnels, 'rebuild'> {
  return {
    slices: (environmentId, campaignId, channel, since) =>
      since === null
        ? sumAllTime(sql, [environmentId, campaignId, channel])
        : sumSince(sql, [environmentId, campaignId, channel], since),
    totals: (environmentId, channel, since) => sumEnvironment(sql, environmentId, channel, since),
    series: (environmentId, campaignId, channel, since, unit) =>
      readSeries(sql, pointsOf(environmentId, campaignId, channel), since, unit),
    days: (environmentId, channel, since) => readDays(sql, environmentId, channel, since),
    steps: async (environmentId, campaignId, version, since) => {
      const [counts, funnels] = await Promise.all([
        readStepCounts(sql, [environmentId, campaignId], version, Math.floor(since / HOUR_MS)),
        Promise.all(CHANNELS.map((channel) => sumSteps(sql, [environmentId, campaignId, channel], version, since))),
      ])
      return { counts, funnels: funnels.flat() }
    },
    outcomes: (environmentId, channel, since, campaignId) =>
      countOutcomes(sql, environmentId, channel, since, campaignId),
  }
}

const COUNTED = 'version, branch, deliveries, reads, opens, clicks'
/** Selects the rows of a campaign in a range of hours, along the primary key. */
const HOUR_RANGE = `SELECT ${COUNTED} FROM funnel
  WHERE environment_id = ? AND campaign_id = ? AND channel = ? AND hour BETWEEN ? AND ?`
const sumOf = (rows: string) =>
  `SELECT version, branch, ${SUMS} FROM (${rows}) AS counted GROUP BY version, branch ORDER BY version, branch`
const SUM_ONE = sumOf(HOUR_RANGE)
const SUM_TWO = sumOf(`${HOUR_RANGE} UNION ALL ${HOUR_RANGE}`)

/** The begin of the keys of a campaign's counters. */
type CountersOf = readonly [environmentId: number, campaignId: number, channel: Channel]

async function sumAllTime(sql: Sql, counters: CountersOf): Promise<FunnelSlice[]> {
  return (await sql.all<SliceRow>(SUM_ONE, [...counters, ALL_TIME, ALL_TIME])).map(toSlice)
}

/** Sums the hours up to the next midnight (UTC), and whole days after it. */
async function sumSince(sql: Sql, counters: CountersOf, since: number): Promise<FunnelSlice[]> {
  const { hours, days } = rangesSince(since)
  const params = [...counters, ...hours, ...counters, ...days]
  return (await sql.all<SliceRow>(SUM_TWO, params)).map(toSlice)
}

const STEP_RANGE = HOUR_RANGE.replace(COUNTED, `step_id, ${COUNTED}`)
const SUM_STEPS = `SELECT step_id AS "stepId", ${SUMS} FROM (${STEP_RANGE} UNION ALL ${STEP_RANGE}) AS counted
  WHERE version = ? GROUP BY step_id`

function sumSteps(sql: Sql, counters: CountersOf, version: number, since: number): Promise<StepFunnel[]> {
  const { hours, days } = rangesSince(since)
  return sql.all<StepFunnel>(SUM_STEPS, [...counters, ...hours, ...counters, ...days, version])
}

type Range = [from: number, to: number]

/** @returns The values of `hour` of the rows since an instant: hours up to the next midnight, then days. */
function rangesSince(since: number): { hours: Range; days: Range } {
  const first = Math.max(0, Math.floor(since / HOUR_MS))
  const day = Math.ceil(first / firstHourOf(1))
  return { hours: [first, firstHourOf(day) - 1], days: [Number.MIN_SAFE_INTEGER, dayRow(day)] }
}

/** The campaigns lead, so that each range is read along the primary key. */
const OF_ENVIRONMENT = `SELECT f.hour, f.deliveries, f.reads, f.opens, f.clicks FROM campaign c CROSS JOIN funnel f
  WHERE c.environment_id = ? AND f.environment_id = c.environment_id AND f.campaign_id = c.id AND f.channel = ? AND f.hour BETWEEN ? AND ?`
const totalOf = (rows: string) => `SELECT ${SUMS} FROM (${rows}) AS counted`
const TOTAL_ONE = totalOf(OF_ENVIRONMENT)
const TOTAL_TWO = totalOf(`${OF_ENVIRONMENT} UNION ALL ${OF_ENVIRONMENT}`)

async function sumEnvironment(
  sql: Sql,
  environmentId: number,
  channel: Channel,
  since: number | null,
): Promise<FunnelCounts> {
  const { hours, days } = rangesSince(since ?? 0)
  const row =
    since === null
      ? await sql.one<Nullable<FunnelCounts>>(TOTAL_ONE, [environmentId, channel, ALL_TIME, ALL_TIME])
      : await sql.one<Nullable<FunnelCounts>>(TOTAL_TWO, [
          environmentId,
          channel,
          ...hours,
          environmentId,
          channel,
          ...days,
        ])
  // The sum of no row is null.
  return { delivery: row?.delivery ?? 0, read: row?.read ?? 0, opened: row?.opened ?? 0, clicked: row?.clicked ?? 0 }
}

type Nullable<T> = { [K in keyof T]: T[K] | null }

const POINTS = `SELECT hour, ${SUMS} FROM funnel
  WHERE environment_id = ? AND campaign_id = ? AND channel = ? AND hour BETWEEN ? AND ?
  GROUP BY hour ORDER BY hour`
const POINTS_OF_ALL = `SELECT hour, ${SUMS} FROM (${OF_ENVIRONMENT}) AS counted GROUP BY hour ORDER BY hour`

/** The statement of points, and its values before the range of hours. */
type Points = [text: string, params: (number | string)[]]

function pointsOf(environmentId: number, campaignId: number | null, channel: Channel): Points {
  return campaignId === null
    ? [POINTS_OF_ALL, [environmentId, channel]]
    : [POINTS, [environmentId, campaignId, channel]]
}

async function readSeries(
  sql: Sql,
  [text, params]: Points,
  since: number | null,
  unit: FunnelUnit,
): Promise<FunnelPoint[]> {
  const read = ([from, to]: Range) => sql.all<FunnelCounts & { hour: number }>(text, [...params, from, to])
  const toPoint = (at: number, { delivery, read: reads, opened, clicked }: FunnelCounts): FunnelPoint => {
    return { at, delivery, read: reads, opened, clicked }
  }
  if (unit === 'hour') {
    const first = Math.max(0, Math.floor((since ?? 0) / HOUR_MS))
    return (await read([first, Number.MAX_SAFE_INTEGER])).map((row) => toPoint(row.hour * HOUR_MS, row))
  }
  const { hours, days } = rangesSince(since ?? 0)
  // The rows of days fall with time.
  const whole = (await read(days)).reverse().map((row) => toPoint(firstHourOf(dayOfRow(row.hour)) * HOUR_MS, row))
  const begun = since === null ? [] : await read(hours)
  const [start] = begun
  if (start === undefined) return whole
  const dayMs = firstHourOf(1) * HOUR_MS
  const day = Math.floor((start.hour * HOUR_MS) / dayMs) * dayMs
  return [toPoint(day, sumCounts(begun)), ...whole]
}

const DAYS = `SELECT c.id AS campaign, f.hour, ${sum('f.deliveries', 'delivery')} FROM campaign c CROSS JOIN funnel f
  WHERE c.environment_id = ? AND f.environment_id = c.environment_id AND f.campaign_id = c.id AND f.channel = ? AND f.hour BETWEEN ? AND ? GROUP BY c.id, f.hour`

async function readDays(sql: Sql, environmentId: number, channel: Channel, since: number): Promise<CampaignDay[]> {
  const rows = await sql.all<{ campaign: number; hour: number; delivery: number }>(DAYS, [
    environmentId,
    channel,
    ...rangesSince(since).days,
  ])
  return rows.map(({ campaign, hour, delivery }) => {
    return { campaignId: campaign, at: firstHourOf(dayOfRow(hour)) * HOUR_MS, delivery }
  })
}

const OUTCOMES = (
  index: string,
  condition: string,
) => `SELECT i.status_reason AS reason, COUNT(*) AS count FROM inbox_item i ${index}
  WHERE i.environment_id = ? AND i.channel = ? AND i.status = ? AND i.message_id >= ? AND i.status <> 'delivered' AND i.is_test = 0 ${condition}
  GROUP BY i.status_reason ORDER BY i.status_reason`

async function countOutcomes(
  sql: Sql,
  environmentId: number,
  channel: Channel,
  since: number | null,
  campaignId: number | undefined,
): Promise<Outcomes> {
  const ofCampaign = campaignId === undefined ? [] : [campaignId]
  const condition = `AND (SELECT m.campaign_id FROM message m WHERE ${MESSAGE_OF_ITEM}) = ?`
  const text = OUTCOMES(sql.usingIndex('inbox_item_by_status'), campaignId === undefined ? '' : condition)
  async function count(status: keyof Outcomes): Promise<Record<string, number>> {
    const floor = since === null ? 0 : idFloorAt(since)
    const rows = await sql.all<{ reason: string | null; count: number }>(text, [
      environmentId,
      channel,
      status,
      floor,
      ...ofCampaign,
    ])
    return Object.fromEntries(rows.map((row) => [row.reason ?? 'unknown', row.count]))
  }
  const [skipped, failed] = await Promise.all([count('skipped'), count('failed')])
  return { skipped, failed }
}

function toSlice({ version, branch, delivery, read, opened, clicked }: SliceRow): FunnelSlice {
  return { version, branch: branch === '' ? null : branch, delivery, read, opened, clicked }
}
