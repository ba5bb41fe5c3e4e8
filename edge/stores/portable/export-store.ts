// Exports one snapshot of a whole store as lines (`nc export`); servers may write meanwhile.

import { SEALED_TABLES } from '../../domain/tenant/secret-rotation.ts'
import { sealedUnder } from '../../lib/seal.ts'
import { knownTables, readTables } from '../migrate.ts'
import type { Sql } from '../sql/sql.ts'
import { type ExportEnd, type ExportHead, FORMAT, FORMAT_VERSION } from './export-format.ts'
import { type ExportWriter, readAllTables, readIdentities } from './export-rows.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import { portableTables } from './portable-tables.ts'
import { refuseUnfinishedImport } from './unfinished-import.ts'

export interface Exported {
  head: ExportHead
  end: ExportEnd
}

/**
 * Exports the store. `takenAt` is ISO 8601.
 * @returns The head and the end record, as they were written.
 * @throws Error with a text for the operator when the store is of a newer program, or an import is unfinished.
 */
export async function exportStore(store: MaintenanceStore, writer: ExportWriter, takenAt: string): Promise<Exported> {
  const live = await store.isInUse()
  return store.snapshot(async (sql) => {
    if (!(await store.hasTable(sql, 'migration'))) throw new Error('The store has no tables. Start the server once.')
    await refuseUnfinishedImport(sql)
    const { number: schemaVersion } = await readTables(sql)
    if (schemaVersion > knownTables()) {
      throw new Error(`The store has tables of version ${schemaVersion}, this program knows ${knownTables()}.`)
    }
    const tables = portableTables(schemaVersion)
    const head: ExportHead = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      schemaVersion,
      engine: store.engine,
      takenAt,
      live,
      sealedUnder: await listMasterKeys(store, sql),
    }
    await writer.write(JSON.stringify(head))
    const digests = await readAllTables(sql, tables, writer)
    const end: ExportEnd = { end: true, tables: digests, identities: await readIdentities(store, sql, tables) }
    await writer.write(JSON.stringify(end))
    return { head, end }
  })
}

/** @returns The names of the master keys that encrypt the stored secrets, sorted. */
export async function listMasterKeys({ hasTable }: Pick<MaintenanceStore, 'hasTable'>, sql: Sql): Promise<string[]> {
  const names = new Set<string>()
  for (const table of SEALED_TABLES) {
    // The store may be of an earlier version.
    if (!(await hasTable(sql, table))) continue
    const rows = await sql.all<{ sealed: string }>(`SELECT sealed FROM ${table} WHERE sealed IS NOT NULL`)
    for (const { sealed } of rows) names.add(sealedUnder(sealed))
  }
  return [...names].sort()
}
