// Opens the store of the settings, next to a running server or alone.

import type { Settings } from '../config.ts'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import type { MaintenanceStore } from '../stores/portable/maintenance-store.ts'
import { openMaintenancePostgres } from '../stores/portable/postgres-maintenance.ts'
import { openMaintenanceSqlite } from '../stores/portable/sqlite-maintenance.ts'
import { openPostgresExternal } from '../stores/postgres-external.ts'
import { openSqliteExternal } from '../stores/sqlite/external.ts'

/** Opens all ports, next to a running server. */
export function openExternalStore({ databaseUrl, dataDir }: Settings, clock: Clock): Promise<Stores> {
  return databaseUrl === null
    ? openSqliteExternal({ dataDir, clock })
    : openPostgresExternal({ url: databaseUrl, clock })
}

/** Opens one connection without ports. `alone`: no server may use the store meanwhile. */
export function openMaintenanceStore(
  { databaseUrl, dataDir }: Settings,
  options: { exclusive: boolean },
): Promise<MaintenanceStore> {
  return databaseUrl === null ? openMaintenanceSqlite(dataDir, options) : openMaintenancePostgres(databaseUrl, options)
}
