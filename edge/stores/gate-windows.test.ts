// Tests that ended windows of throttles and digests are removed from the tables.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openMaintenanceSqlite } from './portable/sqlite-maintenance.ts'
import { openSqliteStores } from './sqlite/stores.ts'
import { campaignOf, planWith, throttle } from './test/gates.suite.ts'
import { givenStore, HOUR, write } from './test/given.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gate-windows-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

async function countWindows(): Promise<number | undefined> {
  const bare = await openMaintenanceSqlite(dataDir, { exclusive: false })
  const row = await bare.snapshot((sql) => sql.one<{ rows: number }>('SELECT COUNT(*) AS rows FROM throttle_window'))
  await bare.close()
  return row?.rows
}

describe('windows of throttles', () => {
  const given = givenStore((options) => openSqliteStores({ ...options, dataDir }))

  test('are removed by commits after their end: two for each window that a commit opens', async () => {
    const environmentId = given.environmentId()
    const campaignId = await campaignOf(given, environmentId)
    const one = () => write(given, planWith(given, environmentId, [throttle(campaignId, `s-${given.id()}`)]))
    for (let count = 0; count < 20; count++) await one()
    expect(await countWindows()).toBe(20)
    given.advance(HOUR)
    for (let count = 0; count < 5; count++) await one()
    expect(await countWindows()).toBe(15)
    for (let count = 0; count < 5; count++) await one()
    expect(await countWindows()).toBe(10)
  })
})
