// Reads tracked events and their runs.

import type { EventFilter, Run, TrackedEvent, TrackedEvents } from '../../domain/tracked-event.ts'
import { idFloorAt } from '../../lib/id.ts'
import { RUN } from '../tables/run.ts'
import { type RawRow, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { readIdLead } from './history/id-lead.ts'
import { SUMMARY_COLUMNS, summarizeRuns, toSummary } from './history/run-summary.ts'
import type { Param, Sql } from './sql.ts'

const EVENT_VIEW = view(TRACKED_EVENT, 'e', [
  'id',
  'environmentId',
  'correlationId',
  'name',
  'userId',
  'userIds',
  'topic',
  'properties',
  'source',
  'occurredAt',
  'receivedAt',
  'outcome',
  'considered',
])
const RUN_VIEW = view(RUN, 'r', ['environmentId', 'eventId', 'isTest', 'correlationId', 'startedAt', 'endedAt'], {
  steps: 'trace',
})

export function createTrackedEvents(sql: Sql): TrackedEvents {
  return {
    async find(environmentId, id) {
      const text = `SELECT ${EVENT_VIEW.columns} FROM tracked_event e WHERE e.environment_id = ? AND e.id = ?`
      const row = await sql.one<RawRow>(text, [environmentId, id])
      return row && toEvent(row)
    },
    list: (environmentId, filter, before, limit) => listEvents(sql, environmentId, filter, before, limit),
    async listRuns(eventId, before, limit) {
      const text = `SELECT ${SUMMARY_COLUMNS} FROM run r JOIN campaign c ON c.id = r.campaign_id
        WHERE r.event_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?`
      return (await sql.all<RawRow>(text, [eventId, before ?? Number.MAX_SAFE_INTEGER, limit])).map(toSummary)
    },
    summarize: (environmentId, eventIds, limit) => summarizeRuns(sql, environmentId, eventIds, limit),
    findRun: (environmentId, id) => findRun(sql, environmentId, id),
  }
}

/**
 * Lists events, newest first. A user needs two index scans: events for that user alone, and events for several users.
 */
async function listEvents(
  sql: Sql,
  environmentId: number,
  filter: EventFilter,
  before: number | null,
  limit: number,
): Promise<TrackedEvent[]> {
  const leadMs = filter.to === undefined ? 0 : await readIdLead(sql)
  const last = before ?? Number.MAX_SAFE_INTEGER
  const walk = ({ from, id, first, params }: Walk) => {
    const rest = conditionsOf(filter, id, leadMs)
    const wheres = [...first, `${id} < ?`, ...rest.wheres].join(' AND ')
    const text = `SELECT ${EVENT_VIEW.columns} FROM ${from} WHERE ${wheres} ORDER BY ${id} DESC LIMIT ?`
    return sql.all<RawRow & { id: number }>(text, [...params, last, ...rest.params, limit])
  }
  const all: Walk = { from: 'tracked_event e', id: 'e.id', first: ['e.environment_id = ?'], params: [environmentId] }
  if (filter.userId === undefined) return (await walk(all)).map(toEvent)
  const alone = { ...all, first: [...all.first, 'e.user_id = ?'], params: [environmentId, filter.userId] }
  const among = {
    // The outer loop reads the index of recipients, the inner one each event by id.
    from: 'event_recipient r CROSS JOIN tracked_event e',
    id: 'r.event_id',
    first: ['e.id = r.event_id', 'r.environment_id = ?', 'r.user_id = ?'],
    params: [environmentId, filter.userId],
  }
  return (await Promise.all([walk(alone), walk(among)]))
    .flat()
    .sort((a, b) => b.id - a.id)
    .slice(0, limit)
    .map(toEvent)
}

interface Walk {
  from: string
  /** The column that an index has in the order of the ids. */
  id: string
  first: string[]
  params: Param[]
}

function conditionsOf(filter: EventFilter, id: string, leadMs: number): { wheres: string[]; params: Param[] } {
  const wheres: string[] = []
  const params: Param[] = []
  const add = (where: string, param: Param | undefined) => {
    if (param === undefined) return
    wheres.push(where)
    params.push(param)
  }
  add('e.name = ?', filter.name)
  // Ids are made when an event is received, so id bounds limit the index range.
  add(`${id} >= ?`, filter.from === undefined ? undefined : idFloorAt(filter.from - CLOCK_SLACK_MS))
  add(`${id} < ?`, filter.to === undefined ? undefined : idFloorAt(filter.to + Math.max(leadMs, CLOCK_SLACK_MS)))
  add('e.received_at >= ?', filter.from)
  add('e.received_at <= ?', filter.to)
  return { wheres, params }
}

/** The minimum distance allowed between ids and `received_at`; a larger lead is stored (history/id-lead.ts). */
const CLOCK_SLACK_MS = 3_600_000

async function findRun(sql: Sql, environmentId: number, id: number): Promise<Run | undefined> {
  const row = await sql.one<RawRow>(
    `SELECT ${SUMMARY_COLUMNS}, ${RUN_VIEW.columns} FROM run r
      JOIN campaign c ON c.id = r.campaign_id WHERE r.environment_id = ? AND r.id = ?`,
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
  return { ...event, considered: event.considered ?? [] }
}
