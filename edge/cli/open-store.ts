// Which store the settings name, opened beside a server or by itself (contract section 12).

import type { Settings } from '../config.ts'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import type { BareStore } from '../stores/portable/bare-store.ts'
import { openBarePostgres } from '../stores/portable/postgres-bare.ts'
import { openBareSqlite } from '../stores/portable/sqlite-bare.ts'
import { openPostgresBeside } from '../stores/postgres-beside.ts'
import { openSqliteBeside } from '../stores/sqlite-beside.ts'

/** All ports, beside a running server. */
export function openBeside({ databaseUrl, dataDir }: Settings, clock: Clock): Promise<Stores> {
  return databaseUrl === null ? openSqliteBeside({ dataDir, clock }) : openPostgresBeside({ url: databaseUrl, clock })
}

/** One connection without ports. `alone`: no server may work on it meanwhile. */
export function openBare({ databaseUrl, dataDir }: Settings, options: { alone: boolean }): Promise<BareStore> {
  return databaseUrl === null ? openBareSqlite(dataDir, options) : openBarePostgres(databaseUrl, options)
}
