// Adds to the sums of a table by one upsert for each key, in sorted order.

import { type Columns, insertRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'

type Cell = number | string

/** Adds rows to the sums of a table; sums may be negative. A row has the values of the key, then those of the sums. */
export type AddSums = (context: WriteContext, rows: Cell[][]) => Promise<void>

/**
 * @param key The columns of the primary key in its order, except `slot`, which stands behind them.
 * @param sums The columns that count.
 */
export function sumTable(table: string, key: Columns, sums: Columns): AddSums {
  const names = Object.keys(key)
  const added = Object.keys(sums).map((name) => `${name} = ${table}.${name} + excluded.${name}`)
  const statement = insertRows(
    table,
    { ...key, slot: 'int', ...sums },
    `ON CONFLICT (${names.join(', ')}, slot) DO UPDATE SET ${added.join(', ')}`,
  )
  return async ({ sql, slot }, rows) => {
    if (rows.length === 0) return
    // All nodes write in the same order: another order would deadlock on PostgreSQL.
    rows.sort((one, other) => compareKeys(one, other, names.length))
    for (const row of rows) row.splice(names.length, 0, slot)
    await sql.bulk(statement, rows)
  }
}

function compareKeys(one: readonly Cell[], other: readonly Cell[], length: number): number {
  for (let at = 0; at < length; at++) {
    const [a, b] = [one[at] as Cell, other[at] as Cell]
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}
