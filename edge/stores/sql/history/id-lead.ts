// How far ids have run ahead of the times of their rows: behind a clock that was set back they go on from the last (lib/id.ts).

import { leadOf } from '../../../lib/id.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'

/** Every range of ids by time allows for this much: bursts, and clocks that are kept in step. */
const SLACK_MS = 60_000
const NAME = 'id_lead_ms'

/** Keeps the furthest lead of all, so that ranges of ids by time reach the rows behind it. */
export async function noteLead(context: WriteContext, rows: { id: number; at: number }[]): Promise<void> {
  const leadMs = rows.reduce((most, { id, at }) => Math.max(most, leadOf(id, at)), 0)
  // Asked first: the row is every node's, and whoever writes it holds it to the end of the transaction.
  if (leadMs <= SLACK_MS || leadMs <= (await readLead(context.sql))) return
  await context.sql.run(
    `INSERT INTO meta (name, value) VALUES ('${NAME}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE CAST(meta.value AS BIGINT) < CAST(excluded.value AS BIGINT)`,
    [String(leadMs)],
  )
}

/** How much later than a row its id may say that it was made (ms). */
export async function readLead(sql: Sql): Promise<number> {
  const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = '${NAME}'`)
  return Math.max(SLACK_MS, Number(row?.value ?? 0))
}
