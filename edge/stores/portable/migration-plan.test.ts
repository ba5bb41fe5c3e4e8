// Tests the plan of missing migrations on SQLite: steps, tables, rows and locks.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MIGRATIONS } from '../migrate.ts'
import { planMigrations } from './migration-plan.ts'
import { openMaintenanceSqlite } from './sqlite-maintenance.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-plan-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const LATER = [
  {
    number: 9001,
    oldestBinary: 1,
    statements: [
      'DROP INDEX run_of_event',
      'CREATE INDEX run_of_event ON run (event_id, started_at)',
      'CREATE TABLE shade (id INTEGER PRIMARY KEY, colour TEXT NOT NULL)',
      'CREATE INDEX shade_by_colour ON shade (colour)',
    ],
  },
  {
    number: 9002,
    oldestBinary: 1,
    statements: [
      `INSERT INTO funnel (campaign_id, channel, hour) SELECT campaign_id, channel, -2 FROM (SELECT campaign_id, channel FROM funnel WHERE hour >= 0) AS counted`,
      'UPDATE job SET given_up_at = created_at WHERE due_at IS NULL',
      'ALTER TABLE invitation ADD COLUMN colour TEXT',
    ],
  },
]

test('the plan names the table, its rows and the lock of each missing step', async () => {
  const store = await openMaintenanceSqlite(dataDir, { exclusive: true })
  await store.migrate(0)
  await store.transaction((sql) => sql.run(`INSERT INTO funnel VALUES (1, 1, 'inbox', 1, 1, '', 's', 0, 4, 3, 2, 1)`))
  const pending = { missing: [9001, 9002], unfinished: [] }
  const steps = await planMigrations(store, pending, [...MIGRATIONS, ...LATER])
  const locks = { lock: 'the store', seconds: 0, rows: 0 }
  expect(steps).toEqual([
    { migration: 9001, step: 'DROP INDEX run_of_event', table: null, ...locks },
    { migration: 9001, step: 'CREATE TABLE shade', table: null, ...locks, lock: 'none' },
    // Nobody waits for an index of a table that the same migration makes, or an earlier one.
    { migration: 9001, step: 'CREATE INDEX shade_by_colour ON shade', table: 'shade', ...locks, lock: 'none' },
    { migration: 9001, step: 'CREATE INDEX run_of_event ON run', table: 'run', ...locks },
    { migration: 9002, step: 'INSERT INTO funnel', table: 'funnel', rows: 1, lock: 'the store', seconds: 1 },
    { migration: 9002, step: 'UPDATE job', table: 'job', ...locks },
    { migration: 9002, step: 'ALTER TABLE invitation ADD COLUMN colour TEXT', table: 'invitation', ...locks },
  ])
  await store.close()
})
