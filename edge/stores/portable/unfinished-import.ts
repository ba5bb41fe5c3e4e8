// Marks a store whose import is running or was interrupted: no server may use it.

import { NC } from '../../lib/command-line.ts'
import type { Sql } from '../sql/sql.ts'

/**
 * Refuses a store whose import has not finished; call it before the tables are read or changed.
 * @throws Error with a text for the operator when an import is unfinished.
 */
export async function refuseUnfinishedImport(sql: Sql): Promise<void> {
  const begunAt = await findUnfinishedImport(sql)
  if (begunAt === undefined) return
  throw new Error(
    `An import into this store was begun at ${begunAt} and has not finished: the store is incomplete. Wait for the import, or repeat it: ${NC} import --from <file>`,
  )
}

/** @returns The start of the unfinished import (ISO 8601); undefined when there is none. */
export async function findUnfinishedImport(sql: Sql): Promise<string | undefined> {
  const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'import'`)
  return row?.value
}

/** Marks the store. `begunAt` is ISO 8601. */
export async function markImport(sql: Sql, begunAt: string): Promise<void> {
  await sql.run(
    `INSERT INTO meta (name, value) VALUES ('import', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [begunAt],
  )
}

/** Removes the mark, because the import is complete or never began. */
export async function unmarkImport(sql: Sql): Promise<void> {
  await sql.run(`DELETE FROM meta WHERE name = 'import'`)
}
