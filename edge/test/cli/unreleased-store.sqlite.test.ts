// Tests a data folder of before the first release: the start and each command refuse it with one sentence. A database is
// tested by `edge/stores/postgres/migrate.postgres.test.ts`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMaintenanceSqlite } from '../../stores/portable/sqlite-maintenance.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'
import { givenNc } from '../support/given-nc.ts'

const WORDS =
  'This store was made before the first release, and this version cannot use it. Start with an empty data folder (DATA_DIR) or an empty database (DATABASE_URL).'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-unreleased-'))
beforeAll(async () => {
  const store = await openMaintenanceSqlite(dataDir, { exclusive: true })
  await store.migrate(1, [{ number: 54, oldestBinary: 17, statements: [] }])
  await store.close()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('at the start', async () => {
  await expect(openSqliteStores({ dataDir, clock: { now: () => 1 } })).rejects.toThrow(WORDS)
})

test.each(['doctor', 'migrate', 'migrate --check', 'migrate --plan', 'org list'])('nc %s', async (command) => {
  const { code, out, err } = await givenNc({ DATA_DIR: dataDir, MASTER_KEY: Buffer.alloc(32).toString('base64') }).nc(
    command,
  )
  expect(`${out}${err}`).toContain(WORDS)
  expect(code).toBe(1)
})
