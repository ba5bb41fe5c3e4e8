// Closes digest windows and reads their events; `commit/digest.ts` fills them.

import type { Digests, GatheredEvent } from '../../domain/run/digests.ts'
import { DIGEST_EVENT } from '../tables/gates.ts'
import { type RowOf, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { closeWindows } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

export const digestWrites = {
  async closeDigests({ sql }: WriteContext, runIds: number[]): Promise<void> {
    await closeWindows(sql, runIds)
  },
}

/** `properties` stay a text. */
const EVENT = view(TRACKED_EVENT, 'e', ['name', 'occurredAt'])
const GATHERED = view(DIGEST_EVENT, 'd', ['runId', 'place', 'eventId'])
const LIST = withRows(
  { run_id: 'int' },
  `SELECT ${GATHERED.columns}, ${EVENT.columns}, e.properties FROM given
    CROSS JOIN digest_event d CROSS JOIN tracked_event e WHERE d.run_id = given.run_id AND e.id = d.event_id`,
)

const WEIGH = withRows(
  { run_id: 'int' },
  `SELECT d.run_id, SUM(octet_length(e.properties)) AS bytes FROM given
    CROSS JOIN digest_event d CROSS JOIN tracked_event e WHERE d.run_id = given.run_id AND e.id = d.event_id GROUP BY d.run_id`,
)

type ListedEvent = RowOf<typeof GATHERED> & RowOf<typeof EVENT> & Pick<GatheredEvent, 'properties'>

export function createDigests(sql: Sql, writes: Writes<typeof digestWrites>): Digests {
  return {
    close: writes.closeDigests,
    async weigh(runIds) {
      const rows = await sql.bulk<{ run_id: number; bytes: number }>(
        WEIGH,
        runIds.map((id) => [id]),
      )
      return new Map(rows.map((row) => [row.run_id, Number(row.bytes)]))
    },
    async listEvents(runIds) {
      const rows = await sql.bulk<ListedEvent>(
        LIST,
        runIds.map((id) => [id]),
      )
      // The rows have no defined order.
      rows.sort((a, b) => a.place - b.place)
      const byRun = new Map<number, GatheredEvent[]>(runIds.map((id) => [id, []]))
      for (const { runId, eventId, name, properties, occurredAt } of rows) {
        byRun.get(runId)?.push({ eventId, name, properties, occurredAt })
      }
      return byRun
    },
  }
}
