// The mark of an import that is under way or was broken off: nobody serves from such a store (issue: moving up).

import type { Sql } from '../sql/sql.ts'

/** Throws a text for the operator. For whoever is about to work on a store, before its tables are touched. */
export async function refuseHalfImport(sql: Sql): Promise<void> {
  const begunAt = await findHalfImport(sql)
  if (begunAt === undefined) return
  throw new Error(
    `An import into this store was begun at ${begunAt} and has not finished: what is there is not whole. Wait for it, or repeat it: npm run nc -- import --from <file>`,
  )
}

/** When it was begun (ISO 8601). A store without tables has none. */
export async function findHalfImport(sql: Sql): Promise<string | undefined> {
  const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'import'`)
  return row?.value
}

export async function markImport(sql: Sql, begunAt: string): Promise<void> {
  await sql.run(
    `INSERT INTO meta (name, value) VALUES ('import', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [begunAt],
  )
}

export async function unmarkImport(sql: Sql): Promise<void> {
  await sql.run(`DELETE FROM meta WHERE name = 'import'`)
}
