// Tests on PostgreSQL that a start repairs a campaign that concurrent changes had set back to an older version.

import { test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { openMaintenancePostgres } from '../portable/postgres-maintenance.ts'
import { openPostgresStores } from '../postgres.ts'
import { expectRepaired } from '../test/stuck-campaign.ts'

test('its newest version is the current one again', async () => {
  const url = await freshDatabase()
  await expectRepaired(
    () => openMaintenancePostgres(url, { exclusive: true }),
    () => openPostgresStores({ url, clock: { now: () => Date.UTC(2026, 5, 1) } }),
  )
})
