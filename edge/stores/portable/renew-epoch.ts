// Another epoch for a store that was put back by other means than `nc restore`: no widget trusts the positions that it has.

import { randomBytes } from 'node:crypto'
import { knownTables } from '../migrate.ts'
import type { BareStore } from './bare-store.ts'
import { readPending } from './pending-migrations.ts'

/** Answers it. Throws a text for the operator when a server is at work or there are no tables. */
export async function renewEpoch(store: BareStore): Promise<string> {
  if (await store.isInUse())
    throw new Error('A server is at work on the store, or was until a moment ago. Stop it first.')
  const { version, oldestBinary } = await readPending(store)
  if (version === 0) throw new Error('There is no store here. Set DATA_DIR or DATABASE_URL.')
  if (oldestBinary > knownTables())
    throw new Error(`The store has tables of version ${version}, this program knows ${knownTables()}.`)
  const epoch = randomBytes(5).toString('hex')
  await store.transaction((sql) => sql.run(`UPDATE meta SET value = ? WHERE name = 'store_epoch'`, [epoch]))
  return epoch
}
