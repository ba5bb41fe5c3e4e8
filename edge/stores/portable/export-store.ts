// `nc export`: a whole store as lines, as it is at one moment, while servers go on writing (issue: moving up).

import { sealedUnder } from '../../lib/seal.ts'
import { knownTables, readTables } from '../migrate.ts'
import type { Sql } from '../sql/sql.ts'
import type { BareStore } from './bare-store.ts'
import { type ExportWriter, readAllTables, readIdentities } from './export-rows.ts'
import { refuseHalfImport } from './half-import.ts'
import { type ExportEnd, type ExportHead, FORMAT, FORMAT_VERSION } from './portable-file.ts'
import { portableTables } from './portable-tables.ts'

export interface Exported {
  head: ExportHead
  end: ExportEnd
}

/** `takenAt` is ISO 8601. Throws a text for the operator when the store is of a newer program, or half imported. */
export async function exportStore(store: BareStore, writer: ExportWriter, takenAt: string): Promise<Exported> {
  const live = await store.isInUse()
  return store.snapshot(async (sql) => {
    if (!(await store.hasTable(sql, 'migration'))) throw new Error('The store has no tables. Start the server once.')
    await refuseHalfImport(sql)
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
      sealedUnder: await listMasterKeys(sql),
    }
    await writer.write(JSON.stringify(head))
    const digests = await readAllTables(sql, tables, writer)
    const end: ExportEnd = { end: true, tables: digests, identities: await readIdentities(store, sql, tables) }
    await writer.write(JSON.stringify(end))
    return { head, end }
  })
}

export async function listMasterKeys(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ sealed: string }>('SELECT sealed FROM secret WHERE sealed IS NOT NULL')
  return [...new Set(rows.map(({ sealed }) => sealedUnder(sealed)))].sort()
}
