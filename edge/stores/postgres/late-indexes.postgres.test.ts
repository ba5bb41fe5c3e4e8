// Tests migrations of a PostgreSQL store that other processes work on: indexes are made beside writes, a broken attempt
// is repaired, and nobody waits behind a migration that waits.

import { beforeEach, expect, test } from 'vitest'
import { freshDatabase, runSql } from '../../test/support/servers.ts'
import { MIGRATIONS } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { readPending } from '../portable/pending-migrations.ts'
import { openMaintenancePostgres } from '../portable/postgres-maintenance.ts'
import { type Connection, openConnection } from './connection.ts'
import { prepareStore } from './prepare.ts'

const clock = { now: () => 1 }
const open = (url: string) => openConnection({ url, deadlineMs: 10_000 })
const INDEX = 'topic_by_colour'
const coloured: Migration = {
  number: 9001,
  oldestBinary: 1,
  statements: [
    'ALTER TABLE topic ADD COLUMN colour TEXT',
    `CREATE INDEX ${INDEX} ON topic (environment_id, colour)`,
    'CREATE TABLE shade (id INTEGER PRIMARY KEY, colour TEXT NOT NULL)',
    'CREATE INDEX shade_by_colour ON shade (colour)',
  ],
}
const migrations = [...MIGRATIONS, coloured]
const INSERT = `INSERT INTO topic (environment_id, topic_key, last_place, created_at) VALUES (1, $1, 0, 1)`

let url: string
beforeEach(async () => {
  url = await freshDatabase()
  await prepareStore({ url, clock })
})

const readIndex = () =>
  runSql(
    url,
    `SELECT COALESCE((SELECT i.indisvalid::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = '${INDEX}'), 'none')`,
  )
const readAppliedAt = () =>
  runSql(url, 'SELECT COALESCE((SELECT applied_at::text FROM migration WHERE number = 9001), $$none$$)')

/** Waits until the index waits for the transactions before it. */
const whileIndexed = () =>
  expect.poll(() => runSql(url, `SELECT COUNT(*) FROM pg_stat_progress_create_index`)).toBe('1')

/** Begins a transaction that has written to the table. */
async function beginWrite(key: string): Promise<Connection> {
  const connection = await open(url)
  await connection.query("SELECT set_config('idle_in_transaction_session_timeout', '0', false)")
  await connection.query('BEGIN', [], { prepare: false })
  await connection.query(INSERT, [key])
  return connection
}

test('rows are written while an index of their table is made, and the migration is finished at its end', async () => {
  const columns = { ...coloured, number: 9000, statements: coloured.statements.slice(0, 1) }
  await prepareStore({ url, clock, migrations: [...MIGRATIONS, columns] })
  const indexed = { ...coloured, statements: coloured.statements.slice(1) }
  const before = await beginWrite('before')
  const preparing = prepareStore({ url, clock, migrations: [...MIGRATIONS, columns, indexed] })
  await whileIndexed()
  expect(await readAppliedAt()).toBe('-1')
  const beside = await open(url)
  await beside.query("SELECT set_config('lock_timeout', '1', false)")
  await beside.query(INSERT, ['beside'])
  beside.destroy('done')
  await before.query('COMMIT', [], { prepare: false })
  before.destroy('done')
  await preparing
  expect([await readIndex(), await readAppliedAt()]).toEqual(['true', '1'])
  expect(await runSql(url, `SELECT COUNT(*) FROM pg_indexes WHERE indexname = 'shade_by_colour'`)).toBe('1')
})

test('an index that a broken attempt left invalid is made again, by the one of several processes that comes first', async () => {
  await prepareStore({
    url,
    clock,
    migrations: [...MIGRATIONS, { ...coloured, statements: coloured.statements.slice(0, 1) }],
  })
  await runSql(url, 'DELETE FROM migration WHERE number = 9001')
  const rest = [...MIGRATIONS, { ...coloured, statements: coloured.statements.slice(1) }]
  const before = await beginWrite('before')
  const broken = expect(prepareStore({ url, clock, migrations: rest })).rejects.toThrow()
  await whileIndexed()
  await runSql(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index')
  await broken
  expect([await readIndex(), await readAppliedAt()]).toEqual(['false', '-1'])
  before.destroy('done')

  const store = await openMaintenancePostgres(url, { exclusive: false })
  expect((await readPending(store)).unknown).toEqual([9001])
  await store.close()
  const logged: unknown[] = []
  const log = { info: (message: string, fields?: object) => logged.push([message, fields]) }
  await Promise.all([1, 2, 3].map(() => prepareStore({ url, clock, log, migrations: rest })))
  expect([await readIndex(), await readAppliedAt()]).toEqual(['true', '1'])
  expect(logged).toEqual([
    ['an index is being made', { reason: INDEX }],
    ['migrated', { count: 9001 }],
  ])
})

test('an earlier release, which waits for its lock in a statement, does not stop an index', async () => {
  await runSql(url, 'ALTER TABLE topic ADD COLUMN colour TEXT')
  const rest = [...MIGRATIONS, { ...coloured, statements: coloured.statements.slice(1) }]
  const writer = await beginWrite('again')
  const preparing = prepareStore({ url, clock, migrations: rest })
  await whileIndexed()
  const earlier = await open(url)
  await earlier.query('SELECT pg_advisory_lock($1)', [7_361_528_043])
  earlier.destroy('done')
  await writer.query('COMMIT', [], { prepare: false })
  writer.destroy('done')
  await preparing
  expect(await readIndex()).toBe('true')
})

test('a migration that waits for the lock of a table lets others pass', async () => {
  const reader = await open(url)
  await reader.query("SELECT set_config('idle_in_transaction_session_timeout', '0', false)")
  await reader.query('BEGIN', [], { prepare: false })
  await reader.query('SELECT COUNT(*) FROM topic')
  const preparing = prepareStore({ url, clock, migrations })
  const isWaiting = `SELECT COUNT(*) FROM pg_locks WHERE relation = 'topic'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`
  await expect.poll(() => runSql(url, isWaiting), { interval: 5 }).toBe('1')
  // Behind the waiting statement, and served although the reader goes on.
  const other = await open(url)
  await other.query(INSERT, ['beside'])
  other.destroy('done')
  await reader.query('COMMIT', [], { prepare: false })
  reader.destroy('done')
  await preparing
  expect([await readIndex(), await readAppliedAt()]).toEqual(['true', '1'])
})
