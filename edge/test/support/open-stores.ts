// The store that settings name, opened as a server opens it: for tests of what stands on the store alone, and their processes.

import type { Stores, StoreWatch } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite.ts'

/** PostgreSQL has a busy machine, too: what is refused while it does not answer has tests of its own. */
export const NEVER_SILENT_MS = 20_000

export function openStoresOf(
  env: Record<string, string | undefined>,
  clock: Clock,
  watch?: StoreWatch,
): Promise<Stores> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env
  // Leases and due times go by the given clock on both engines.
  const readNow = async () => clock.now()
  const silenceMs = NEVER_SILENT_MS
  return url === undefined
    ? openSqliteStores({ dataDir, clock, watch })
    : openPostgresStores({ url, clock, watch, readNow, silenceMs })
}
