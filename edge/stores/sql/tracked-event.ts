// Tracked events and their runs, as they are read (contract section 3).

import type { Json } from '../../domain/json.ts'
import type {
  Consideration,
  EventFilter,
  EventOutcome,
  EventSource,
  Run,
  TraceStep,
  TrackedEvent,
  TrackedEvents,
} from '../../domain/tracked-event.ts'
import { idFloorAt } from '../../lib/id.ts'
import { readLead } from './history/id-lead.ts'
import { type RunSummaryRow, SUMMARY_COLUMNS, summarizeRuns, toSummary } from './history/run-summary.ts'
import type { Param, Sql } from './sql.ts'

interface EventRow {
  id: number
  environment_id: number
  correlation_id: string
  name: string
  user_id: string | null
  user_ids: string | null
  topic: string | null
  source: string
  occurred_at: number
  received_at: number
  outcome: EventOutcome
  considered: string | null
  properties: string
}
interface RunRow extends RunSummaryRow {
  environment_id: number
  is_test: number
  correlation_id: string
  started_at: number
  ended_at: number | null
  trace: string
}

const EVENT_COLUMNS = `e.id, e.environment_id, e.correlation_id, e.name, e.user_id, e.user_ids, e.topic, e.source, e.occurred_at, e.received_at,
  e.outcome, e.considered, e.properties`

export function createTrackedEvents(sql: Sql): TrackedEvents {
  return {
    async find(environmentId, id) {
      const text = `SELECT ${EVENT_COLUMNS} FROM tracked_event e WHERE e.environment_id = ? AND e.id = ?`
      const row = await sql.one<EventRow>(text, [environmentId, id])
      return row && toEvent(row)
    },
    list: (environmentId, filter, before, limit) => listEvents(sql, environmentId, filter, before, limit),
    async listRuns(eventId, before, limit) {
      const text = `SELECT ${SUMMARY_COLUMNS} FROM run r JOIN campaign c ON c.id = r.campaign_id
        WHERE r.event_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?`
      return (await sql.all<RunSummaryRow>(text, [eventId, before ?? Number.MAX_SAFE_INTEGER, limit])).map(toSummary)
    },
    summarize: (eventIds, limit) => summarizeRuns(sql, eventIds, limit),
    findRun: (environmentId, id) => findRun(sql, environmentId, id),
  }
}

/** For a user two walks, each by its index: events for them alone, and events for several; both newest first. */
async function listEvents(
  sql: Sql,
  environmentId: number,
  filter: EventFilter,
  before: number | null,
  limit: number,
): Promise<TrackedEvent[]> {
  const leadMs = filter.to === undefined ? 0 : await readLead(sql)
  const last = before ?? Number.MAX_SAFE_INTEGER
  const walk = ({ from, id, first, params }: Walk) => {
    const rest = conditionsOf(filter, id, leadMs)
    const wheres = [...first, `${id} < ?`, ...rest.wheres].join(' AND ')
    const text = `SELECT ${EVENT_COLUMNS} FROM ${from} WHERE ${wheres} ORDER BY ${id} DESC LIMIT ?`
    return sql.all<EventRow>(text, [...params, last, ...rest.params, limit])
  }
  const all: Walk = { from: 'tracked_event e', id: 'e.id', first: ['e.environment_id = ?'], params: [environmentId] }
  if (filter.userId === undefined) return (await walk(all)).map(toEvent)
  const alone = { ...all, first: [...all.first, 'e.user_id = ?'], params: [environmentId, filter.userId] }
  const among = {
    // Outside is the index of recipients, inside each event by its id.
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
  // Ids are made when an event is received: the bounds on them let the index begin and stop there.
  add(`${id} >= ?`, filter.from === undefined ? undefined : idFloorAt(filter.from - CLOCK_SLACK_MS))
  add(`${id} < ?`, filter.to === undefined ? undefined : idFloorAt(filter.to + Math.max(leadMs, CLOCK_SLACK_MS)))
  add('e.received_at >= ?', filter.from)
  add('e.received_at <= ?', filter.to)
  return { wheres, params }
}

/** How far ids may stand from `received_at` at least; what ran further ahead is kept (history/id-lead.ts). */
const CLOCK_SLACK_MS = 3_600_000

async function findRun(sql: Sql, environmentId: number, id: number): Promise<Run | undefined> {
  const row = await sql.one<RunRow>(
    `SELECT ${SUMMARY_COLUMNS}, r.environment_id, r.is_test, r.correlation_id, r.started_at, r.ended_at, r.trace FROM run r
      JOIN campaign c ON c.id = r.campaign_id WHERE r.environment_id = ? AND r.id = ?`,
    [environmentId, id],
  )
  if (row === undefined) return undefined
  const messages = await sql.all<{ id: number }>('SELECT id FROM message WHERE run_id = ? ORDER BY id', [id])
  return {
    ...toSummary(row),
    environmentId: row.environment_id,
    eventId: row.event_id,
    isTest: row.is_test === 1,
    correlationId: row.correlation_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    steps: JSON.parse(row.trace) as TraceStep[],
    messageIds: messages.map((message) => message.id),
  }
}

function toEvent(row: EventRow): TrackedEvent {
  return {
    id: row.id,
    environmentId: row.environment_id,
    correlationId: row.correlation_id,
    name: row.name,
    userId: row.user_id,
    userIds: row.user_ids === null ? null : (JSON.parse(row.user_ids) as string[]),
    topic: row.topic,
    properties: JSON.parse(row.properties) as Record<string, Json>,
    source: row.source as EventSource,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    outcome: row.outcome,
    considered: row.considered === null ? [] : (JSON.parse(row.considered) as Consideration[]),
  }
}
