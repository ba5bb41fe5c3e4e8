// Reads which migrations a store lacks, and which it has that this program does not know.

import { MIGRATIONS, readTables, UNFINISHED } from '../migrate.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import { findUnfinishedImport } from './unfinished-import.ts'

export interface Pending {
  /** The last applied migration; 0 for a store without tables. */
  version: number
  /** Also those whose indexes are not all made. */
  missing: number[]
  /** Those of `missing` that lack indexes alone. */
  unfinished: number[]
  /** Numbers that this program does not know. */
  unknown: number[]
  /** The migration that a program must at least know to work on the store. */
  oldestBinary: number
  /** The start of an unfinished import (ISO 8601). */
  unfinishedImport: string | null
}

/** @returns The migrations of the store, compared with those of this program. */
export function readPending(store: MaintenanceStore): Promise<Pending> {
  const known = MIGRATIONS.map(({ number }) => number)
  return store.snapshot(async (sql) => {
    if (!(await store.hasTable(sql, 'migration'))) {
      return { version: 0, missing: known, unfinished: [], unknown: [], oldestBinary: 0, unfinishedImport: null }
    }
    const rows = await sql.all<{ number: number; applied_at: number }>(
      'SELECT number, applied_at FROM migration ORDER BY number',
    )
    const begun = rows.map(({ number }) => number)
    const applied = rows.filter((row) => row.applied_at !== UNFINISHED).map(({ number }) => number)
    const missing = known.filter((number) => !applied.includes(number))
    const { number: version, oldestBinary } = await readTables(sql)
    return {
      version,
      missing,
      unfinished: missing.filter((number) => begun.includes(number)),
      unknown: begun.filter((number) => !known.includes(number)),
      oldestBinary,
      unfinishedImport: (await findUnfinishedImport(sql)) ?? null,
    }
  })
}
