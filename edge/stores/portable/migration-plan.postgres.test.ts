// Tests the plan of missing migrations on PostgreSQL: which locks last, and what is left of a migration without its indexes.

import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { MIGRATIONS, UNFINISHED } from '../migrate.ts'
import { planMigrations } from './migration-plan.ts'
import { readPending } from './pending-migrations.ts'
import { openMaintenancePostgres } from './postgres-maintenance.ts'

test('a lock lasts while rows are changed, and of an unfinished migration only indexes are left', async () => {
  const store = await openMaintenancePostgres(await freshDatabase(), { exclusive: true })
  await store.migrate(
    0,
    MIGRATIONS.filter(({ number }) => number < 37),
  )
  const columns = 'id, environment_id, kind, payload, run_at, created_at, due_at, attempts, fence'
  await store.transaction((sql) => sql.run(`INSERT INTO job (${columns}) VALUES (1, 1, 'x', '{}', 1, 1, NULL, 0, 0)`))
  const of = async (migration: number) => {
    const steps = await planMigrations(store, await readPending(store))
    return steps.filter((step) => step.migration === migration).map(({ step, lock }) => [step, lock])
  }
  const kept = 'the table, until all steps of the migration but its indexes are done'
  const index = 'none: CONCURRENTLY, writes go on'
  expect(await of(37)).toEqual([
    ['ALTER TABLE run_wait ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0', kept],
    ['ALTER TABLE run_wait ADD COLUMN given_up_at INTEGER', kept],
    ['ALTER TABLE job ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0', kept],
    ['ALTER TABLE job ADD COLUMN given_up_at INTEGER', kept],
    ['ALTER TABLE mail ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0', kept],
    ['ALTER TABLE mail ADD COLUMN given_up_at INTEGER', kept],
    ['ALTER TABLE mail ADD COLUMN claims INTEGER NOT NULL DEFAULT 0', kept],
    ['UPDATE job', 'the rows that it changes'],
    ['CREATE INDEX run_wait_given_up ON run_wait', index],
    ['CREATE INDEX job_given_up ON job', index],
    ['CREATE INDEX mail_given_up ON mail', index],
  ])
  expect(await of(53)).toEqual([['ALTER TABLE invitation ADD COLUMN invited_by TEXT', 'the table, for a moment']])

  await store.migrate(0)
  await store.transaction((sql) => sql.run('UPDATE migration SET applied_at = ? WHERE number = 37', [UNFINISHED]))
  expect((await of(37)).map(([step]) => step)).toEqual([
    'CREATE INDEX run_wait_given_up ON run_wait',
    'CREATE INDEX job_given_up ON job',
    'CREATE INDEX mail_given_up ON mail',
  ])
  await store.close()
})
