// Migrations on PostgreSQL: killed at every statement, begun by many at once, refused by a program that is too old.

import { expect, test } from 'vitest'
import { freshDatabase, runSql } from '../../test/support/servers.ts'
import { MIGRATIONS, type Migration, migrate } from '../migrate.ts'
import type { Engine, Sql } from '../sql/sql.ts'
import { type Link, openLink } from './link.ts'
import { plainSql, prepareStore } from './prepare.ts'
import { POSTGRES } from './sql.ts'
import { runTransaction } from './transaction.ts'

const clock = { now: () => 1 }
const open = (url: string) => openLink({ url, deadlineMs: 10_000 })

/** Cuts the connection before the statement of that number; undefined when there were not so many. */
async function migrateUntil(url: string, last: number): Promise<number | undefined> {
  const link = await open(url)
  let count = 0
  const counted = (sql: Sql): Sql => ({
    ...sql,
    run(text, params) {
      if (++count === last) link.destroy('killed')
      return sql.run(text, params)
    },
  })
  const engine: Engine = { transaction: (work) => runTransaction(link, (sql) => work(counted(sql))) }
  try {
    await migrate(engine, POSTGRES, 1)
    return undefined
  } catch (error) {
    if (!link.isLost()) throw error
    return count
  } finally {
    link.destroy('done')
  }
}

/** Tables, columns and indices, as PostgreSQL has them. */
async function shapeOf(link: Link): Promise<unknown> {
  return {
    columns: await link.query(
      `SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
        WHERE table_schema = 'public' ORDER BY 1, 2`,
    ),
    indices: await link.query(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
    nodes: await link.query('SELECT number FROM nodes ORDER BY 1'),
    migrations: await link.query('SELECT number, oldest_binary FROM migration ORDER BY 1'),
  }
}

test('a start that is killed at any statement leaves whole steps, and the next one completes them', async () => {
  const [url, other] = [await freshDatabase(), await freshDatabase()]
  const [link, unharmed] = [await open(url), await open(other)]
  await prepareStore({ url: other, clock })
  const whole = await shapeOf(unharmed)
  unharmed.destroy('done')
  // Each start asks for the list of migrations first; it goes on from what the killed one before it has left.
  expect(await migrateUntil(url, 1)).toBe(1)
  expect(await applied(link)).toBeNull()
  for (const [index, { statements }] of MIGRATIONS.entries()) {
    // The statements of this migration, and the line that says it is done.
    for (let last = 2; last <= statements.length + 2; last++) {
      expect(await migrateUntil(url, last)).toBe(last)
      // What was done before the one that was killed, and nothing of that.
      expect(await applied(link)).toEqual(MIGRATIONS.slice(0, index).map(({ number }) => number))
    }
    await prepareStore({ url, clock, migrations: MIGRATIONS.slice(0, index + 1) })
  }
  expect(await migrateUntil(url, 2)).toBeUndefined()
  expect(await shapeOf(link)).toEqual(whole)
  link.destroy('done')
}, 180_000)

/** Null: there is not even the list. */
async function applied(link: Link): Promise<number[] | null> {
  const sql = plainSql(link)
  const there = await sql.one(`SELECT 1 AS one FROM pg_tables WHERE schemaname = 'public' AND tablename = 'migration'`)
  if (there === undefined) return null
  return (await sql.all<{ number: number }>('SELECT number FROM migration ORDER BY number')).map(({ number }) => number)
}

test('six that start at once make the tables once, and all go on', async () => {
  const url = await freshDatabase()
  const logged: unknown[] = []
  const log = { info: (_: string, fields?: object) => logged.push(fields) }
  const facts = await Promise.all(Array.from({ length: 6 }, () => prepareStore({ url, clock, log })))
  expect(new Set(facts.map(({ storeEpoch }) => storeEpoch)).size).toBe(1)
  expect(logged).toHaveLength(MIGRATIONS.length)
})

test('one that is frozen with the lock keeps others waiting, and its end lets them go on', async () => {
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

test('a version that only adds leaves the older one at work; one that takes away is refused in words', async () => {
  const url = await freshDatabase()
  await prepareStore({ url, clock, migrations: [...MIGRATIONS, later({})] })
  await prepareStore({ url, clock })

  const contract = later({ number: 9002, oldestBinary: 9002, statements: ['ALTER TABLE topic DROP COLUMN colour'] })
  await prepareStore({ url, clock, migrations: [...MIGRATIONS, later({}), contract] })
  await expect(prepareStore({ url, clock })).rejects.toThrow(
    /^The data were written by a newer version \(tables 9002, this program knows \d+\)\. Install that version or a later one\.$/,
  )
  const link: Link = await open(url)
  expect(await plainSql(link).all('SELECT number FROM migration WHERE number > 9000 ORDER BY number')).toEqual([
    { number: 9001 },
    { number: 9002 },
  ])
  link.destroy('done')
})
