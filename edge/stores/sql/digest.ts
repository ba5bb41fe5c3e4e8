// Closes digest windows and reads their events; `commit/digest.ts` fills them.

import type { Digests, GatheredEvent } from '../../domain/run/digests.ts'
import { closeWindows } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

export const digestWrites = {
  async closeDigests({ sql }: WriteContext, runIds: number[]): Promise<void> {
    await closeWindows(sql, runIds)
  },
}

const LIST = withRows(
  { run_id: 'int' },
  `SELECT d.run_id, d.place, e.id, e.name, e.properties, e.occurred_at FROM given
    CROSS JOIN digest_event d CROSS JOIN tracked_event e WHERE d.run_id = given.run_id AND e.id = d.event_id`,
)

const WEIGH = withRows(
  { run_id: 'int' },
  `SELECT d.run_id, SUM(octet_length(e.properties)) AS bytes FROM given
    CROSS JOIN digest_event d CROSS JOIN tracked_event e WHERE d.run_id = given.run_id AND e.id = d.event_id GROUP BY d.run_id`,
)

interface Row {
  run_id: number
  place: number
  id: number
  name: string
  properties: string
  occurred_at: number
}

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
      const rows = await sql.bulk<Row>(
        LIST,
        runIds.map((id) => [id]),
      )
      // The rows have no defined order.
      rows.sort((a, b) => a.place - b.place)
      const byRun = new Map<number, GatheredEvent[]>(runIds.map((id) => [id, []]))
      for (const { run_id: runId, id: eventId, name, properties, occurred_at: occurredAt } of rows) {
        byRun.get(runId)?.push({ eventId, name, properties, occurredAt })
      }
      return byRun
    },
  }
}
