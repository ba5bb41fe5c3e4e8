// Tests the plan of missing migrations on PostgreSQL: which locks last, and what is left of a migration without its indexes.

import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { MIGRATIONS } from '../migrate.ts'
import { planMigrations } from './migration-plan.ts'
import { openMaintenancePostgres } from './postgres-maintenance.ts'

const CHANGES_ROWS = {
  number: 9001,
  oldestBinary: 1,
  statements: [
    'ALTER TABLE mail ADD COLUMN colour TEXT',
    'CREATE INDEX job_by_kind ON job (kind)',
    'UPDATE job SET attempts = 0 WHERE due_at IS NULL',
  ],
}
const ADDS_COLUMN = { number: 9002, oldestBinary: 1, statements: ['ALTER TABLE invitation ADD COLUMN colour TEXT'] }
const ALL = [...MIGRATIONS, CHANGES_ROWS, ADDS_COLUMN]
const INDEX = ['CREATE INDEX job_by_kind ON job', 'none: CONCURRENTLY, writes go on']

test('a lock lasts while rows are changed, and of an unfinished migration only indexes are left', async () => {
  const store = await openMaintenancePostgres(await freshDatabase(), { exclusive: true })
  await store.migrate(0)
  const columns = 'id, environment_id, kind, payload, run_at, created_at, due_at, attempts, fence'
  await store.transaction((sql) => sql.run(`INSERT INTO job (${columns}) VALUES (1, 1, 'x', '{}', 1, 1, NULL, 0, 0)`))
  const plan = async (missing: number[], unfinished: number[]) => {
    const steps = await planMigrations(store, { missing, unfinished }, ALL)
    return steps.map(({ step, lock }) => [step, lock])
  }
  expect(await plan([9001, 9002], [])).toEqual([
    ['ALTER TABLE mail ADD COLUMN colour TEXT', 'the table, until all steps of the migration but its indexes are done'],
    ['UPDATE job', 'the rows that it changes'],
    INDEX,
    ['ALTER TABLE invitation ADD COLUMN colour TEXT', 'the table, for a moment'],
  ])
  expect(await plan([9001], [9001])).toEqual([INDEX])
  await store.close()
})
