// Creates the tables of a PostgreSQL store for tests and resets them. A reset is much faster than new tables
// (docs/testing.md#both-engines).

import { systemClock } from '../../lib/clock.ts'
import { migrate } from '../migrate.ts'
import { type Connection, openConnection } from '../postgres/connection.ts'
import { POSTGRES } from '../postgres/sql.ts'
import { runTransaction } from '../postgres/transaction.ts'

const OPEN_MS = 30_000
const SIMPLE = { prepare: false }

/** Creates all tables of this version in the database; the first start adds the rows of a store. */
export async function makeTables(url: string): Promise<void> {
  await withConnection(url, (connection) =>
    migrate({ transaction: (work) => runTransaction(connection, work) }, POSTGRES, systemClock.now()),
  )
}

/** Returns statements that reset the database to its current content. */
export async function readEmptying(url: string): Promise<string> {
  return withConnection(url, async (connection) => {
    const tables = await connection.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'`,
    )
    const sequences = await connection.query<{ name: string }>(
      `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`,
    )
    // Sent together, so that the first test of a run waits only once.
    const refilling = tables.map(async ({ name }) => {
      const [first] = await connection.query<{ rows: string | null }>(`SELECT json_agg(t)::text AS rows FROM ${name} t`)
      const rows = first?.rows?.replaceAll("'", "''")
      if (rows === undefined) return []
      return [`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, '${rows}')`]
    })
    const steps = [...tables.map(({ name }) => `DELETE FROM ${name}`), ...(await Promise.all(refilling)).flat()]
    for (const { name } of sequences) steps.push(`SELECT setval('${name}', 1, false)`)
    return steps.join('; ')
  })
}

/**
 * Runs the statements of `readEmptying`.
 * @throws Error when the tables have changed since.
 */
export async function emptyTables(url: string, emptying: string): Promise<void> {
  await withConnection(url, (connection) => connection.query(emptying, [], SIMPLE))
}

/**
 * Disconnects all clients of the database and waits for their end.
 * @returns The size of the database in bytes.
 */
export async function disconnectAll(connection: Connection, name: string): Promise<number> {
  await connection.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [name])
  const [row] = await connection.query<{ bytes: number }>('SELECT pg_database_size($1) AS bytes', [name])
  return row?.bytes ?? 0
}

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await openConnection({ url, deadlineMs: OPEN_MS })
  try {
    return await work(connection)
  } finally {
    connection.destroy('done')
  }
}
