// Sets a new epoch for a store that was restored without `nc restore`, which makes the positions of widgets invalid.

import { randomBytes } from 'node:crypto'
import { knownTables } from '../migrate.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import { readPending } from './pending-migrations.ts'

/**
 * Writes a new random epoch.
 * @returns The new epoch.
 * @throws Error with a text for the operator: a server works on the store, or its tables are missing or newer.
 */
export async function renewEpoch(store: MaintenanceStore): Promise<string> {
  if (await store.isInUse())
    throw new Error('A server is at work on the store, or was until a moment ago. Stop it first.')
  const { version, oldestBinary } = await readPending(store)
  if (version === 0) throw new Error('There is no store in this place. Set DATA_DIR or DATABASE_URL.')
  if (oldestBinary > knownTables())
    throw new Error(`The store has tables of version ${version}, this program knows ${knownTables()}.`)
  const epoch = randomBytes(5).toString('hex')
  await store.transaction((sql) => sql.run(`UPDATE meta SET value = ? WHERE name = 'store_epoch'`, [epoch]))
  return epoch
}
