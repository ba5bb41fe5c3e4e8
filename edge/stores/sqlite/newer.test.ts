// Tests tools without ports on a SQLite store that a newer release has written.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewEpoch } from '../portable/renew-epoch.ts'
import { openMaintenanceSqlite } from '../portable/sqlite-maintenance.ts'
import { backupSqlite } from './backup.ts'
import { loadDriver } from './driver.ts'
import { openSqliteStores } from './stores.ts'

let dataDir = ''
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'store-newer-'))
  await (await openSqliteStores({ dataDir, clock: { now: () => Date.UTC(2026, 5, 1) } })).close()
  const connection = (await loadDriver()).open(join(dataDir, 'store.db'), 0)
  connection.exec('INSERT INTO migration (number, oldest_binary, applied_at) VALUES (900, 900, 0)')
  connection.close()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('a backup of it is refused with the name of the store, and leaves no file', async () => {
  const taken = backupSqlite(dataDir, join(dataDir, 'taken'))
  await expect(taken).rejects.toThrow(`${join(dataDir, 'store.db')} has tables of version 900`)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('taken'))).toEqual([])
})

test('its epoch is not renewed', async () => {
  const store = await openMaintenanceSqlite(dataDir, { exclusive: false })
  await expect(renewEpoch(store)).rejects.toThrow('tables of version 900')
  await store.close()
})
