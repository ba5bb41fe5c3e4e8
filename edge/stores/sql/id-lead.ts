// Stores how far ids are ahead of the times of their rows. After a clock was set back, ids continue from the last one
// (lib/id.ts). Turns times into ranges of ids.

import { idFloorAt, leadOf } from '../../lib/id.ts'
import type { Sql } from './sql.ts'
import type { WriteContext } from './write.ts'

/** The minimum lead, which covers bursts and small clock differences. */
const TOLERANCE_MS = 60_000
const NAME = 'id_lead_ms'

/** Stores the largest lead, so that queries by time include these rows. `at` is epoch ms. */
export async function recordIdLead(context: WriteContext, rows: { id: number; at: number }[]): Promise<void> {
  const leadMs = rows.reduce((largest, { id, at }) => Math.max(largest, leadOf(id, at)), 0)
  if (leadMs > TOLERANCE_MS) await raiseIdLead(context.sql, leadMs)
}

/** Stores a lead that is larger than the stored one. */
export async function raiseIdLead(sql: Sql, leadMs: number): Promise<void> {
  // Read first: all nodes share the row, and a write locks it until the end of the transaction.
  if (leadMs <= (await readIdLead(sql))) return
  await sql.run(
    `INSERT INTO meta (name, value) VALUES ('${NAME}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE CAST(meta.value AS BIGINT) < CAST(excluded.value AS BIGINT)`,
    [String(leadMs)],
  )
}

/** @returns The largest lead of an id over the time of its row (ms). */
export async function readIdLead(sql: Sql): Promise<number> {
  const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = '${NAME}'`)
  return Math.max(TOLERANCE_MS, Number(row?.value ?? 0))
}

/**
 * Returns the ids of rows from one time to another that are older than `before`: at least `above`, less than `below`.
 * Ids are generated after the time of their rows. One bound on each side, because SQLite uses no second one in an index.
 */
export function idBounds(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  before: number | null,
  leadMs: number,
): { above: number; below: number } {
  const end = before ?? Number.MAX_SAFE_INTEGER
  return {
    above: from === undefined ? 0 : idFloorAt(from),
    below: to === undefined ? end : Math.min(end, idFloorAt(to + leadMs)),
  }
}
