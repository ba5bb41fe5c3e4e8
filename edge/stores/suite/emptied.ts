// Makes the tables of a PostgreSQL store for tests, and empties them again: that is much cheaper than making them anew (docs/decisions/0161).

import { systemClock } from '../../lib/clock.ts'
import { migrate } from '../migrate.ts'
import { type Link, openLink } from '../postgres/link.ts'
import { POSTGRES } from '../postgres/sql.ts'
import { runTransaction } from '../postgres/transaction.ts'

const OPEN_MS = 30_000
const SIMPLE = { prepare: false }

/** In that database, all tables of this version; a first start finds them and adds what is one store's own. */
export async function makeTables(url: string): Promise<void> {
  await withLink(url, (link) =>
    migrate({ transaction: (work) => runTransaction(link, work) }, POSTGRES, systemClock.now()),
  )
}

/** Statements that bring such a database back to how it is now, whatever was written to it meanwhile. */
export async function readEmptying(url: string): Promise<string> {
  return withLink(url, async (link) => {
    const tables = await link.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'`,
    )
    const sequences = await link.query<{ name: string }>(
      `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`,
    )
    // Sent together: one by one, the first test of a run would wait for each.
    const refilling = tables.map(async ({ name }) => {
      const [first] = await link.query<{ rows: string | null }>(`SELECT json_agg(t)::text AS rows FROM ${name} t`)
      const rows = first?.rows?.replaceAll("'", "''")
      if (rows === undefined) return []
      return [`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, '${rows}')`]
    })
    const steps = [...tables.map(({ name }) => `DELETE FROM ${name}`), ...(await Promise.all(refilling)).flat()]
    for (const { name } of sequences) steps.push(`SELECT setval('${name}', 1, false)`)
    return steps.join('; ')
  })
}

/** Throws when the tables are others than those that the statements know. */
export async function emptyTables(url: string, emptying: string): Promise<void> {
  await withLink(url, (link) => link.query(emptying, [], SIMPLE))
}

/** Cuts off whoever is connected to that database, and waits until they are gone. Answers its size in bytes. */
export async function disconnectAll(link: Link, name: string): Promise<number> {
  await link.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [name])
  const [row] = await link.query<{ bytes: number }>('SELECT pg_database_size($1) AS bytes', [name])
  return row?.bytes ?? 0
}

async function withLink<T>(url: string, work: (link: Link) => Promise<T>): Promise<T> {
  const link = await openLink({ url, deadlineMs: OPEN_MS })
  try {
    return await work(link)
  } finally {
    link.destroy('done')
  }
}
