// The store that settings name, opened as a server opens it: for tests of what stands on the store alone, and their processes.

import type { Stores, StoreWatch } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite.ts'

export function openStoresOf(
  env: Record<string, string | undefined>,
  clock: Clock,
  watch?: StoreWatch,
): Promise<Stores> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env
  // Leases and due times go by the given clock on both engines.
  const readNow = async () => clock.now()
  return url === undefined
    ? openSqliteStores({ dataDir, clock, watch })
    : openPostgresStores({ url, clock, watch, readNow })
}
