// Tests the file of an environment: damaged ones, killed imports into both engines, and ids that are taken. Both engines,
// in the run that starts PostgreSQL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTransportKey, newSalt, type TransportKey } from '../../../lib/transport-key.ts'
import { freshDatabase } from '../../../test/support/servers.ts'
import { openSqliteStores } from '../../sqlite/stores.ts'
import {
  ENVIRONMENT,
  exportLines,
  fillEnvironment,
  importLines,
  interruptedAfter,
  NOW,
  sourceOf,
  USERS,
} from '../../test/given-environment.ts'
import type { MaintenanceStore } from '../maintenance-store.ts'
import { openMaintenancePostgres } from '../postgres-maintenance.ts'
import { openMaintenanceSqlite } from '../sqlite-maintenance.ts'
import { checkEnvironment, readHead } from './check-environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'environment-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const newFolder = () => mkdtempSync(join(folder, 'data-'))
const salt = newSalt()

let key: TransportKey
let lines: string[]
beforeAll(async () => {
  key = await createTransportKey('a text that nobody guesses', salt)
  const dataDir = newFolder()
  const stores = await openSqliteStores({ dataDir, clock: { now: () => NOW } })
  await fillEnvironment(stores)
  await stores.close()
  const store = await openMaintenanceSqlite(dataDir, { exclusive: false })
  lines = await exportLines(store, key, salt).finally(() => store.close())
})

async function openEmpty(engine: 'sqlite' | 'postgres'): Promise<MaintenanceStore> {
  const store =
    engine === 'sqlite'
      ? await openMaintenanceSqlite(newFolder(), { exclusive: true })
      : await openMaintenancePostgres(await freshDatabase(), { exclusive: true })
  await store.migrate(NOW)
  return store
}

/** @returns What the file would have, without what an import changes. */
async function rowsOf(store: MaintenanceStore): Promise<Record<string, unknown>> {
  const again = await exportLines(store, key, salt)
  const { tables } = JSON.parse(again.at(-1) ?? '') as { tables: Record<string, { rows: number }> }
  return Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, rows]))
}

const stateOf = (store: MaintenanceStore) =>
  store.snapshot((sql) => sql.one('SELECT closed_for, name FROM environment WHERE id = ?', [ENVIRONMENT]))

test('no secret is in the file, and it is refused when a byte differs, a line is missing, or the key is another one', async () => {
  expect(lines.join('\n')).not.toContain('a secret')
  const check = async (changed: readonly string[], by = key) =>
    checkEnvironment(sourceOf(changed), await readHead(sourceOf(changed)), by)
  await expect(check(lines)).resolves.toMatchObject({ owners: { environmentId: ENVIRONMENT } })
  const row = lines.findIndex((line) => line.includes('"u600"'))
  await expect(check(lines.with(row, (lines[row] ?? '').replace('u600', 'u6000')))).rejects.toThrow('another hash')
  await expect(check(lines.toSpliced(row, 1))).rejects.toThrow(`${USERS} rows expected`)
  await expect(check(lines.slice(0, -1))).rejects.toThrow('cut off')
  const foreign = (lines[row] ?? '').replace(String(ENVIRONMENT), String(ENVIRONMENT + 4096))
  await expect(check(lines.with(row, foreign))).rejects.toThrow('a foreign row')
  const head = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), name: 'other' })
  await expect(check(lines.with(0, head))).rejects.toThrow('signature')
  const other = await createTransportKey('another text that nobody guesses', salt)
  await expect(check(lines, other)).rejects.toThrow('another key file')
})

describe.each(['sqlite', 'postgres'] as const)('an import into %s', (engine) => {
  test('that is killed stays closed, and is repeated with the same file', async () => {
    const store = await openEmpty(engine)
    try {
      for (const rows of [3, 300, 900]) {
        await expect(importLines(store, key, lines, interruptedAfter(lines, rows))).rejects.toThrow('killed')
      }
      expect(await stateOf(store)).toMatchObject({ closed_for: 'import' })
      await expect(exportLines(store, key, salt)).rejects.toThrow('not complete')
      await importLines(store, key, lines)
      expect(await stateOf(store)).toMatchObject({ closed_for: 'operator', name: 'prod' })
      expect(await rowsOf(store)).toMatchObject({ app_user: USERS, topic_subscriber: USERS, secret: 1 })
      await expect(importLines(store, key, lines)).rejects.toThrow('in this deployment already')
    } finally {
      await store.close()
    }
  })

  test('is refused where another environment has one of its ids', async () => {
    const store = await openEmpty(engine)
    try {
      const other = ENVIRONMENT + 4096
      const insert = `INSERT INTO secret (environment_id, id, kind, hash, created_at) VALUES (?, ?, 'sdkSecretKey', 'h2', 1)`
      await store.transaction(async (sql) => {
        await sql.run(insert, [other, 4096 * 1001])
        await sql.run('INSERT INTO id_floor (slot, value) VALUES (0, 1)')
        await sql.run(
          `INSERT INTO environment (id, organisation_id, name, is_production, allowed_origins, require_expiring_tokens,
            sdk_key_may_manage, created_at) VALUES (?, 1, 'other', 0, '[]', 0, 0, 1)`,
          [other],
        )
      })
      await expect(importLines(store, key, lines)).rejects.toThrow('NODE_NUMBERS')
      expect(await stateOf(store)).toBeUndefined()
    } finally {
      await store.close()
    }
  })
})
