// Opens the store of given settings like a server, for tests without a server and for their processes.

import type { Stores, StoreWatch } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'

/** PostgreSQL may be slow on a busy machine; refusals during silence have their own tests. */
export const NEVER_SILENT_MS = 20_000

/** Opens the PostgreSQL store of `DATABASE_URL`, or without it the SQLite store of `DATA_DIR`. */
export function openStoresOf(
  env: Record<string, string | undefined>,
  clock: Clock,
  watch?: StoreWatch,
): Promise<Stores> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env
  // Leases and due times use the given clock on both engines.
  const readNow = async () => clock.now()
  const silenceMs = NEVER_SILENT_MS
  return url === undefined
    ? openSqliteStores({ dataDir, clock, watch })
    : openPostgresStores({ url, clock, watch, readNow, silenceMs })
}
