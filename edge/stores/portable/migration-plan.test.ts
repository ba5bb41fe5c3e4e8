// Tests the plan of missing migrations on SQLite: steps, tables, rows and locks.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MIGRATIONS } from '../migrate.ts'
import { planMigrations } from './migration-plan.ts'
import { readPending } from './pending-migrations.ts'
import { openMaintenanceSqlite } from './sqlite-maintenance.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-plan-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('the plan names the table, its rows and the lock of each missing step', async () => {
  const store = await openMaintenanceSqlite(dataDir, { exclusive: true })
  await store.migrate(
    0,
    MIGRATIONS.filter(({ number }) => number < 17),
  )
  await store.transaction((sql) => sql.run(`INSERT INTO funnel VALUES (1, 'inbox', 1, 1, '', 0, 4, 3, 2, 1)`))
  const { missing } = await readPending(store)
  const steps = await planMigrations(store, missing)
  const of = (migration: number) => steps.filter((step) => step.migration === migration)
  const locks = { lock: 'the store', seconds: 0, rows: 0 }
  expect(of(17)).toEqual([
    { migration: 17, step: 'INSERT INTO funnel', table: 'funnel', rows: 1, lock: 'the store', seconds: 1 },
  ])
  expect(of(18)).toEqual([
    { migration: 18, step: 'DROP INDEX run_of_event', table: null, ...locks },
    { migration: 18, step: 'CREATE INDEX run_of_event ON run', table: 'run', ...locks },
  ])
  // An index of a table that the same migration makes needs no line of its own kind.
  expect(of(46).map(({ step, table }) => [step, table])).toEqual([
    ['CREATE TABLE doubt', null],
    ['CREATE INDEX doubt_in_order ON doubt', 'doubt'],
    ['CREATE INDEX doubt_of_user ON doubt', 'doubt'],
    ['CREATE INDEX doubt_by_time ON doubt', 'doubt'],
  ])
  expect(of(37).map(({ step }) => step)).toContain('UPDATE job')
  expect(of(53)).toEqual([
    { migration: 53, step: 'ALTER TABLE invitation ADD COLUMN invited_by TEXT', table: 'invitation', ...locks },
  ])
  await store.close()
})
