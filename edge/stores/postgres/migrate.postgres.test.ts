// Tests migrations on PostgreSQL: killed at every statement, started by several processes at once, refused by an older
// program.

import { expect, test } from 'vitest'
import { freshDatabase, runSql } from '../../test/support/servers.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Engine, Sql } from '../sql/sql.ts'
import { type Connection, openConnection } from './connection.ts'
import { plainSql, prepareStore } from './prepare.ts'
import { POSTGRES } from './sql.ts'
import { runTransaction } from './transaction.ts'

const clock = { now: () => 1 }
const open = (url: string) => openConnection({ url, deadlineMs: 10_000 })

/** Cuts the connection before statement number `last`; returns undefined when there are fewer statements. */
async function migrateUntil(url: string, last: number, migrations: Migration[]): Promise<number | undefined> {
  const connection = await open(url)
  let count = 0
  const counted = (sql: Sql): Sql => ({
    ...sql,
    run(text, params) {
      if (++count === last) connection.destroy('killed')
      return sql.run(text, params)
    },
  })
  const engine: Engine = { transaction: (work) => runTransaction(connection, (sql) => work(counted(sql))) }
  try {
    await migrate(engine, POSTGRES, 1, migrations)
    return undefined
  } catch (error) {
    if (!connection.isLost()) throw error
    return count
  } finally {
    connection.destroy('done')
  }
}

/** Returns tables, columns and indexes as PostgreSQL lists them. */
async function shapeOf(connection: Connection): Promise<unknown> {
  return {
    columns: await connection.query(
      `SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
        WHERE table_schema = 'public' ORDER BY 1, 2`,
    ),
    indices: await connection.query(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
    nodes: await connection.query('SELECT number FROM nodes ORDER BY 1'),
    migrations: await connection.query('SELECT number, oldest_binary FROM migration ORDER BY 1'),
  }
}

/** Follow the baseline, as those of later releases will. */
const LATER: Migration[] = [
  {
    number: 9001,
    oldestBinary: 1,
    statements: ['ALTER TABLE topic ADD COLUMN colour TEXT', `UPDATE topic SET colour = 'red'`],
  },
  {
    number: 9002,
    oldestBinary: 1,
    statements: ['CREATE TABLE shade (id INTEGER PRIMARY KEY)', 'DROP INDEX run_of_event'],
  },
]

test('a start that is killed at a statement leaves complete migrations, and the next start continues', async () => {
  const [url, other] = [await freshDatabase(), await freshDatabase()]
  const [connection, uninterrupted] = [await open(url), await open(other)]
  const all = [...MIGRATIONS, ...LATER]
  await prepareStore({ url: other, clock, migrations: all })
  const complete = await shapeOf(uninterrupted)
  uninterrupted.destroy('done')
  // Each start reads the list of migrations first, and continues after the last complete one.
  expect(await migrateUntil(url, 1, all)).toBe(1)
  expect(await applied(connection)).toBeNull()
  for (const [index, { statements }] of all.entries()) {
    // The statements of this migration, and the insert that records it. Of the many of the baseline a few are enough.
    const end = statements.length + 2
    const killed = [...new Set([2, 3, 4, 5, Math.floor(end / 2), end - 1, end].filter((last) => last <= end))]
    for (const last of killed) {
      expect(await migrateUntil(url, last, all)).toBe(last)
      // The migrations before the killed one are complete, and nothing of the killed one is stored.
      expect(await applied(connection)).toEqual(all.slice(0, index).map(({ number }) => number))
    }
    await prepareStore({ url, clock, migrations: all.slice(0, index + 1) })
  }
  expect(await migrateUntil(url, 2, all)).toBeUndefined()
  expect(await shapeOf(connection)).toEqual(complete)
  connection.destroy('done')
})

/** Returns the recorded migrations; null when their table is missing. */
async function applied(connection: Connection): Promise<number[] | null> {
  const sql = plainSql(connection)
  const there = await sql.one(`SELECT 1 AS one FROM pg_tables WHERE schemaname = 'public' AND tablename = 'migration'`)
  if (there === undefined) return null
  return (await sql.all<{ number: number }>('SELECT number FROM migration ORDER BY number')).map(({ number }) => number)
}

test('six processes that start at once create the tables once, and all continue', async () => {
  const url = await freshDatabase()
  const logged: unknown[] = []
  const log = { info: (_: string, fields?: object) => logged.push(fields) }
  const facts = await Promise.all(Array.from({ length: 6 }, () => prepareStore({ url, clock, log })))
  expect(new Set(facts.map(({ storeEpoch }) => storeEpoch)).size).toBe(1)
  expect(logged).toHaveLength(MIGRATIONS.length)
})

test('a process that stops with the lock blocks the others, and they continue after its end', async () => {
  const url = await freshDatabase()
  const frozen = await open(url)
  await frozen.query('SELECT pg_advisory_lock($1)', [7_361_528_043])
  let isDone = false
  const waiting = prepareStore({ url, clock }).finally(() => {
    isDone = true
  })
  await expect
    .poll(() => runSql(url, `SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`))
    .toBe('1')
  expect(isDone).toBe(false)
  frozen.destroy('killed')
  expect((await waiting).storeEpoch).not.toBe('')
})

const later = (over: Partial<Migration>): Migration => ({
  number: 9001,
  oldestBinary: 1,
  statements: ['ALTER TABLE topic ADD COLUMN colour TEXT'],
  ...over,
})

test('an older version works after a migration that only adds, and is refused with a text after one that removes', async () => {
  const url = await freshDatabase()
  await prepareStore({ url, clock, migrations: [...MIGRATIONS, later({})] })
  await prepareStore({ url, clock })

  const contract = later({ number: 9002, oldestBinary: 9002, statements: ['ALTER TABLE topic DROP COLUMN colour'] })
  await prepareStore({ url, clock, migrations: [...MIGRATIONS, later({}), contract] })
  await expect(prepareStore({ url, clock })).rejects.toThrow(
    /^The data were written by a newer version \(tables 9002, this program knows \d+\)\. Install that version or a later one\.$/,
  )
  const connection: Connection = await open(url)
  expect(await plainSql(connection).all('SELECT number FROM migration WHERE number > 9000 ORDER BY number')).toEqual([
    { number: 9001 },
    { number: 9002 },
  ])
  connection.destroy('done')
})

test('a database of before the first release is refused with one sentence', async () => {
  const url = await freshDatabase()
  await prepareStore({ url, clock })
  await runSql(url, 'UPDATE migration SET number = number - 60')
  await expect(prepareStore({ url, clock })).rejects.toThrow(
    'This store was made before the first release, and this version cannot use it. Start with an empty data folder (DATA_DIR) or an empty database (DATABASE_URL).',
  )
})
