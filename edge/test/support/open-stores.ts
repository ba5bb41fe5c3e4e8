// The store that settings name, opened as a server opens it: for tests of what stands on the store alone, and their processes.

import type { Stores } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite.ts'

export function openStoresOf(env: Record<string, string | undefined>, clock: Clock): Promise<Stores> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env
  return url === undefined ? openSqliteStores({ dataDir, clock }) : openPostgresStores({ url, clock })
}
