// Tracks how far ids are ahead of the times of their rows: after a clock was set back, ids continue from the last one
// (lib/id.ts).

import { leadOf } from '../../../lib/id.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'

/** Every id range by time allows for this much: bursts, and small clock differences. */
const SLACK_MS = 60_000
const NAME = 'id_lead_ms'

/** Records the largest lead, so that id ranges by time include the rows written with it. */
export async function recordIdLead(context: WriteContext, rows: { id: number; at: number }[]): Promise<void> {
  const leadMs = rows.reduce((most, { id, at }) => Math.max(most, leadOf(id, at)), 0)
  // Read first: all nodes share the row, and its writer locks it until the end of the transaction.
  if (leadMs <= SLACK_MS || leadMs <= (await readIdLead(context.sql))) return
  await context.sql.run(
    `INSERT INTO meta (name, value) VALUES ('${NAME}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE CAST(meta.value AS BIGINT) < CAST(excluded.value AS BIGINT)`,
    [String(leadMs)],
  )
}

/** @returns How far an id may be ahead of the time of its row (ms). */
export async function readIdLead(sql: Sql): Promise<number> {
  const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = '${NAME}'`)
  return Math.max(SLACK_MS, Number(row?.value ?? 0))
}
