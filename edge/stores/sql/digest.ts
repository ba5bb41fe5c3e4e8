// Closes digest windows and reads their events; `commit/digest.ts` fills them.

import type { Digests, GatheredEvent } from '../../domain/run/digests.ts'
import type { RunKey } from '../../domain/run/run-wait.ts'
import { DIGEST_EVENT } from '../tables/gates.ts'
import { RUN_KEY, runKeyOf } from '../tables/run.ts'
import { type RowOf, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { closeWindows } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

export const digestWrites = {
  async closeDigests({ sql }: WriteContext, runs: RunKey[]): Promise<void> {
    await closeWindows(sql, runs.map(runKeyOf))
  },
}

/** `properties` stay a text. */
const EVENT = view(TRACKED_EVENT, 'e', ['name', 'occurredAt'])
const GATHERED = view(DIGEST_EVENT, 'd', ['runId', 'place', 'eventId'])
const IS_GATHERED = `d.environment_id = given.environment_id AND d.run_id = given.run_id
  AND e.environment_id = d.environment_id AND e.id = d.event_id`
const LIST = withRows(
  RUN_KEY,
  `SELECT ${GATHERED.columns}, ${EVENT.columns}, e.properties FROM given
    CROSS JOIN digest_event d CROSS JOIN tracked_event e WHERE ${IS_GATHERED}`,
)

const WEIGH = withRows(
  RUN_KEY,
  `SELECT d.run_id, SUM(octet_length(e.properties)) AS bytes FROM given
    CROSS JOIN digest_event d CROSS JOIN tracked_event e WHERE ${IS_GATHERED} GROUP BY d.run_id`,
)

type ListedEvent = RowOf<typeof GATHERED> & RowOf<typeof EVENT> & Pick<GatheredEvent, 'properties'>

export function createDigests(sql: Sql, writes: Writes<typeof digestWrites>): Digests {
  return {
    close: writes.closeDigests,
    async weigh(runs) {
      const rows = await sql.bulk<{ run_id: number; bytes: number }>(WEIGH, runs.map(runKeyOf))
      return new Map(rows.map((row) => [row.run_id, Number(row.bytes)]))
    },
    async listEvents(runs) {
      const rows = await sql.bulk<ListedEvent>(LIST, runs.map(runKeyOf))
      // The rows have no defined order.
      rows.sort((a, b) => a.place - b.place)
      const byRun = new Map<number, GatheredEvent[]>(runs.map(({ runId }) => [runId, []]))
      for (const { runId, eventId, name, properties, occurredAt } of rows) {
        byRun.get(runId)?.push({ eventId, name, properties, occurredAt })
      }
      return byRun
    },
  }
}
