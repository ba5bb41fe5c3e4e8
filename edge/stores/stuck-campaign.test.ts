// Tests on SQLite that a start repairs a campaign that concurrent changes had set back to an older version.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { openMaintenanceSqlite } from './portable/sqlite-maintenance.ts'
import { openSqliteStores } from './sqlite/stores.ts'
import { expectRepaired } from './test/stuck-campaign.ts'

test('its newest version is the current one again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stuck-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await expectRepaired(
    () => openMaintenanceSqlite(dataDir, { exclusive: true }),
    () => openSqliteStores({ dataDir, clock: { now: () => Date.UTC(2026, 5, 1) } }),
  )
})
