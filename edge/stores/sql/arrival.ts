// Reads the events that arrived for waiting runs.

import type { Json } from '../../../contract/json.ts'
import type { Arrival, Arrivals } from '../../domain/run/arrival.ts'
import { withLazyJson } from '../../lib/lazy-json.ts'
import { RUN_ARRIVAL, RUN_KEY, runKeyOf } from '../tables/run.ts'
import { type RowOf, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { type Sql, withRows } from './sql.ts'

const ARRIVAL = view(RUN_ARRIVAL, 'a', ['runId', 'eventId'])
const EVENT = view(TRACKED_EVENT, 'e', ['name', 'occurredAt'])
const COLUMNS = `${ARRIVAL.columns}, ${EVENT.columns}, e.properties`
const OF_GIVEN = 'a.environment_id = given.environment_id AND a.run_id = given.run_id'
const EVENT_OF_ARRIVAL = 'e.environment_id = a.environment_id AND e.id = a.event_id'
const FIND = withRows(
  RUN_KEY,
  `SELECT ${COLUMNS} FROM given CROSS JOIN run_arrival a CROSS JOIN tracked_event e
    WHERE ${OF_GIVEN} AND ${EVENT_OF_ARRIVAL}`,
)

const WEIGH = withRows(
  RUN_KEY,
  `SELECT a.run_id, SUM(octet_length(e.properties)) AS bytes FROM given CROSS JOIN run_arrival a CROSS JOIN tracked_event e
    WHERE ${OF_GIVEN} AND ${EVENT_OF_ARRIVAL} GROUP BY a.run_id`,
)

const FIND_AFTER = `SELECT ${COLUMNS} FROM run_arrival a CROSS JOIN tracked_event e
  WHERE a.environment_id = ? AND a.run_id = ? AND a.event_id > ? AND ${EVENT_OF_ARRIVAL} ORDER BY a.event_id LIMIT ?`

const COUNT_WAITING = withRows(
  { environment_id: 'int', user_id: 'text', name: 'text' },
  `SELECT given.user_id, COUNT(*) AS count FROM given CROSS JOIN app_user u CROSS JOIN run_wait w
    WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id AND w.user_no = u.user_no AND w.awaits = given.name
      AND w.given_up_at IS NULL GROUP BY given.user_id`,
)

type Row = RowOf<typeof ARRIVAL> & RowOf<typeof EVENT> & { properties: string }

export function createArrivals(sql: Sql): Arrivals {
  return {
    async weigh(runs) {
      const rows = await sql.bulk<{ run_id: number; bytes: number }>(WEIGH, runs.map(runKeyOf))
      return new Map(rows.map((row) => [row.run_id, Number(row.bytes)]))
    },
    async findAfter(run, eventId, limit) {
      return (await sql.all<Row>(FIND_AFTER, [...runKeyOf(run), eventId, limit])).map(toArrival)
    },
    async find(runs) {
      const rows = await sql.bulk<Row>(FIND, runs.map(runKeyOf))
      const found = new Map<number, Arrival[]>()
      for (const row of rows.sort((a, b) => a.eventId - b.eventId)) {
        const arrival = toArrival(row)
        const before = found.get(row.runId)
        if (before === undefined) found.set(row.runId, [arrival])
        else before.push(arrival)
      }
      return found
    },
    async countWaiting(environmentId, name, userIds) {
      const rows = await sql.bulk<{ user_id: string; count: number }>(
        COUNT_WAITING,
        userIds.map((userId) => [environmentId, userId, name]),
      )
      return new Map(rows.map((row) => [row.user_id, row.count]))
    },
    async listNames(environmentId) {
      const text = 'SELECT name FROM awaited_name WHERE environment_id = ? ORDER BY name'
      return (await sql.all<{ name: string }>(text, [environmentId])).map((row) => row.name)
    },
  }
}

function toArrival({ eventId, name, properties, occurredAt }: Row): Arrival {
  return withLazyJson<Omit<Arrival, 'properties'>, 'properties', Record<string, Json>>(
    { eventId, name, occurredAt },
    'properties',
    properties,
  )
}
