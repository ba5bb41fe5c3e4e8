// Tests on both engines that a start repairs a campaign that concurrent changes had set back to an older version.

import { expect } from 'vitest'
import type { Stores } from '../../domain/stores.ts'
import { MIGRATIONS } from '../migrate.ts'
import type { MaintenanceStore } from '../portable/maintenance-store.ts'

/** Id and current version; each has the versions 1 to 3. */
const CAMPAIGNS = [
  [1, 2, 'active'],
  [2, 3, 'active'],
  [3, null, 'draft'],
] as const

/** Sets the tables before the repair. @param bare Opens the tables alone. @param open Starts the store, which repairs it. */
export async function expectRepaired(
  bare: () => Promise<MaintenanceStore>,
  open: () => Promise<Stores>,
): Promise<void> {
  await withStore(await bare(), async (store) => {
    await store.migrate(
      0,
      MIGRATIONS.filter(({ number }) => number < 19),
    )
    await store.transaction(async (sql) => {
      for (const [id, version, status] of CAMPAIGNS) {
        await sql.run(
          `INSERT INTO campaign (id, environment_id, campaign_key, name, status, current_version, draft, created_at, updated_at)
            VALUES (?, 7, ?, 'C', ?, ?, '{}', 1, 1)`,
          [id, `c-${id}`, status, version],
        )
        for (const published of version === null ? [] : [1, 2, 3]) {
          await sql.run(
            `INSERT INTO campaign_version (campaign_id, version, published_at, definition) VALUES (?, ?, 1, '{}')`,
            [id, published],
          )
        }
      }
    })
  })
  const stores = await open()
  expect((await stores.campaigns.listLive(7)).map(({ campaign, version }) => [campaign.id, version])).toEqual([
    [1, 3],
    [2, 3],
  ])
  expect(await stores.campaigns.find(7, 3)).toMatchObject({ currentVersion: null, revision: 0 })
  await stores.close()
}

async function withStore(store: MaintenanceStore, work: (store: MaintenanceStore) => Promise<void>): Promise<void> {
  await work(store)
  await store.close()
}
