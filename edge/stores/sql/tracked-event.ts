// Reads tracked events and their runs.

import type { Json } from '../../../contract/json.ts'
import type { EventFilter, EventPage, Run, TrackedEvent, TrackedEvents } from '../../domain/tracked-event.ts'
import { withLazyJson } from '../../lib/lazy-json.ts'
import { RUN } from '../tables/run.ts'
import { type RawRow, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { idBounds, readIdLead } from './id-lead.ts'
import { SUMMARY_COLUMNS, SUMMARY_JOINS, summarizeRuns, toSummary } from './run-summary.ts'
import type { Param, Sql } from './sql.ts'

const EVENT_VIEW = view(TRACKED_EVENT, 'e', [
  'id',
  'environmentId',
  'correlationId',
  'name',
  'userId',
  'userIds',
  'topic',
  'source',
  'occurredAt',
  'receivedAt',
  'outcome',
  'considered',
  'raw',
])
const EVENT_COLUMNS = `${EVENT_VIEW.columns}, e.properties`
/** Bytes of an event in an answer, without what is always small. */
const WEIGHT =
  '(octet_length(e.properties) + COALESCE(octet_length(e.user_ids), 0) + COALESCE(octet_length(e.considered), 0) + COALESCE(octet_length(e.raw), 0))'
/** Of the events of one page; one that weighs more is a page alone. */
const PAGE_BYTES = 1024 * 1024
const RUN_VIEW = view(RUN, 'r', ['environmentId', 'eventId', 'isTest', 'correlationId', 'startedAt', 'endedAt'], {
  steps: 'trace',
})

export function createTrackedEvents(sql: Sql): TrackedEvents {
  return {
    async find(environmentId, id) {
      const text = `SELECT ${EVENT_COLUMNS} FROM tracked_event e WHERE e.environment_id = ? AND e.id = ?`
      const row = await sql.one<RawRow>(text, [environmentId, id])
      return row && toEvent(row)
    },
    list: (environmentId, filter, before, limit) => listEvents(sql, environmentId, filter, before, limit),
    async listRuns(eventId, before, limit) {
      const text = `SELECT ${SUMMARY_COLUMNS} FROM run r ${SUMMARY_JOINS}
        WHERE r.event_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?`
      return (await sql.all<RawRow>(text, [eventId, before ?? Number.MAX_SAFE_INTEGER, limit])).map(toSummary)
    },
    summarize: (environmentId, eventIds, limit) => summarizeRuns(sql, environmentId, eventIds, limit),
    findRun: (environmentId, id) => findRun(sql, environmentId, id),
  }
}

const IS_RECIPIENT = `(e.user_id = ? OR EXISTS (SELECT 1 FROM event_recipient r
  WHERE r.event_id = e.id AND r.environment_id = e.environment_id AND r.user_id = ?))`

/**
 * Lists events, newest first. A filter by user needs two index scans: of events with one recipient, and with several.
 */
async function listEvents(
  sql: Sql,
  environmentId: number,
  filter: EventFilter,
  before: number | null,
  limit: number,
): Promise<EventPage> {
  const leadMs = filter.to === undefined ? 0 : await readIdLead(sql)
  const { above, below } = idBounds(filter, before, leadMs)
  const scan = ({ from, id, first, params }: Scan) => {
    const rest = conditionsOf(filter)
    const where = [...first, `${id} >= ?`, `${id} < ?`, ...rest.conditions].join(' AND ')
    const sized = `SELECT ${EVENT_COLUMNS}, ${WEIGHT} AS bytes, SUM(${WEIGHT}) OVER (ORDER BY ${id} DESC) AS bytes_so_far
      FROM ${from} WHERE ${where} ORDER BY ${id} DESC LIMIT ?`
    const text = `SELECT * FROM (${sized}) AS sized WHERE bytes_so_far - bytes < ${PAGE_BYTES}`
    return sql.all<SizedRow>(text, [...params, above, below, ...rest.params, limit + 1])
  }
  // Named, because the planner would read all events of an environment once it knows that most have the same name.
  const by = (index: string): Scan => {
    const from = `tracked_event e ${sql.usingIndex(index)}`
    return { from, id: 'e.id', first: ['e.environment_id = ?'], params: [environmentId] }
  }
  if (filter.correlationId !== undefined) {
    // Few events: those of one request.
    const all = by('tracked_event_by_correlation')
    const { userId } = filter
    const rest = userId === undefined ? [] : [IS_RECIPIENT]
    const first = [...all.first, 'e.correlation_id = ?', ...rest]
    const params = [...all.params, filter.correlationId, ...(userId === undefined ? [] : [userId, userId])]
    return toPage(await scan({ ...all, first, params }), limit)
  }
  if (filter.userId === undefined) {
    const index = filter.name === undefined ? 'tracked_event_pkey' : 'tracked_event_by_name'
    return toPage(await scan(by(index)), limit)
  }
  const all = by('tracked_event_by_user')
  const single = { ...all, first: [...all.first, 'e.user_id = ?'], params: [environmentId, filter.userId] }
  const several = {
    // The outer loop reads the index of recipients, the inner one each event by id.
    from: 'event_recipient r CROSS JOIN tracked_event e',
    id: 'r.event_id',
    first: ['e.environment_id = r.environment_id', 'e.id = r.event_id', 'r.environment_id = ?', 'r.user_id = ?'],
    params: [environmentId, filter.userId],
  }
  const rows = (await Promise.all([scan(single), scan(several)])).flat()
  return toPage(rows, limit)
}

type SizedRow = RawRow & { id: number; bytes: number }

/** Takes the newest rows, until they weigh enough or reach the limit. A scan that ended early weighs enough by itself. */
function toPage(rows: SizedRow[], limit: number): EventPage {
  rows.sort((a, b) => b.id - a.id)
  let bytes = 0
  let count = 0
  for (const row of rows) {
    if (count === limit || bytes >= PAGE_BYTES) break
    bytes += row.bytes
    count += 1
  }
  const hasMore = rows.length > count || bytes >= PAGE_BYTES
  return { events: rows.slice(0, count).map(toEvent), next: hasMore ? (rows[count - 1]?.id ?? null) : null }
}

interface Scan {
  from: string
  /** The id column of the index: the rows are read in its order. */
  id: string
  /** The conditions on the first columns of the index. */
  first: string[]
  params: Param[]
}

function conditionsOf(filter: EventFilter): { conditions: string[]; params: Param[] } {
  const conditions: string[] = []
  const params: Param[] = []
  const add = (where: string, param: Param | undefined) => {
    if (param === undefined) return
    conditions.push(where)
    params.push(param)
  }
  add('e.name = ?', filter.name)
  add('e.received_at >= ?', filter.from)
  add('e.received_at <= ?', filter.to)
  return { conditions, params }
}

async function findRun(sql: Sql, environmentId: number, id: number): Promise<Run | undefined> {
  const row = await sql.one<RawRow>(
    `SELECT ${SUMMARY_COLUMNS}, ${RUN_VIEW.columns} FROM run r ${SUMMARY_JOINS} WHERE r.environment_id = ? AND r.id = ?`,
    [environmentId, id],
  )
  if (row === undefined) return undefined
  const messages = await sql.all<{ id: number }>('SELECT id FROM message WHERE run_id = ? ORDER BY id', [id])
  return {
    ...toSummary(row),
    ...RUN_VIEW.read(row),
    messageIds: messages.map((message) => message.id),
  }
}

function toEvent(row: RawRow): TrackedEvent {
  const event = EVENT_VIEW.read(row)
  const read = { ...event, considered: event.considered ?? [] }
  return withLazyJson<typeof read, 'properties', Record<string, Json>>(read, 'properties', String(row.properties))
}
