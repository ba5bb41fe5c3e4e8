// Imports an export into an empty store (`nc import`). No server can start on the store until all rows are verified.

import { toIso } from '../../lib/clock.ts'
import { MIGRATIONS, readTables } from '../migrate.ts'
import { insertRows, type Param, type RowsStatement, type Sql } from '../sql/sql.ts'
import { type CheckedExport, type ExportSource, readRows } from './check-export.ts'
import { firstDifference } from './export-format.ts'
import { readAllTables } from './export-rows.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import type { PortableTable } from './portable-tables.ts'
import { findUnfinishedImport, markImport, unmarkImport } from './unfinished-import.ts'

const BATCH_ROWS = 4000
const BATCH_CHARS = 8 * 1024 * 1024

export interface ImportOptions {
  /** Epoch milliseconds. */
  now: number
  /** The new epoch of the store: open widgets read their inboxes again. Null keeps the epoch of the export. */
  newEpoch: string | null
  progress?: (step: 'write' | 'verify', table: string, rows: number) => void
}

/**
 * Imports the export. After a kill or an error no server can start on the store, and the import can be repeated.
 * @throws Error with a text for the operator: the store is not empty, is in use, or differs from the export.
 */
export async function importStore(
  store: MaintenanceStore,
  source: ExportSource,
  checked: CheckedExport,
  options: ImportOptions,
): Promise<void> {
  if (await store.isInUse())
    throw new Error('A server is at work on the store, or was until a moment ago. Stop it first.')
  await prepare(store, checked, options.now)
  // A server that started between the check and the mark has not seen the mark.
  if (await store.isInUse()) {
    await store.transaction(unmarkImport)
    throw new Error('A server has started on the store. Stop it first.')
  }
  await writeRows(store, source, checked, options)
  await verify(store, checked, options)
  await store.transaction(async (sql) => {
    if (options.newEpoch !== null) {
      await sql.run(`UPDATE meta SET value = ? WHERE name = 'store_epoch'`, [options.newEpoch])
    }
    for (const { name, identity } of checked.tables) {
      if (identity !== null) await store.raiseIdentity(sql, name, identity, checked.end.identities[name] ?? 0)
    }
    await unmarkImport(sql)
  })
  // An older export lacks the later migrations.
  await store.migrate(options.now)
  await store.updateStatistics()
}

/** Creates empty tables of the export's version, and sets the mark. */
async function prepare(store: MaintenanceStore, { head, tables }: CheckedExport, now: number): Promise<void> {
  const known = MIGRATIONS.filter(({ number }) => number <= head.schemaVersion)
  const isFresh = await store.snapshot(async (sql) => !(await store.hasTable(sql, 'migration')))
  if (isFresh) await store.migrate(now, known)
  await store.transaction(async (sql) => {
    const { number } = await readTables(sql)
    if (number !== head.schemaVersion) {
      throw new Error(
        `The export has tables of version ${head.schemaVersion}, the store ${number}. Import into an empty folder or database without tables.`,
      )
    }
    const isRepeat = (await findUnfinishedImport(sql)) !== undefined
    const filled = isRepeat ? undefined : await findFilled(sql, tables)
    if (filled !== undefined) {
      throw new Error(`The store is not empty: the table ${filled} has rows. Import into an empty store.`)
    }
    await markImport(sql, toIso(now))
    for (const { name } of tables)
      await sql.run(`DELETE FROM ${name}${name === 'meta' ? ` WHERE name <> 'import'` : ''}`)
  })
}

/** Returns a table that has rows; ignores `meta` and `id_floor`, which the first start of a server writes. */
async function findFilled(sql: Sql, tables: readonly PortableTable[]): Promise<string | undefined> {
  for (const { name } of tables) {
    if (name === 'meta' || name === 'id_floor') continue
    if ((await sql.one(`SELECT 1 AS one FROM ${name} LIMIT 1`)) !== undefined) return name
  }
  return undefined
}

async function writeRows(
  store: MaintenanceStore,
  source: ExportSource,
  { tables }: CheckedExport,
  { progress }: ImportOptions,
): Promise<void> {
  const statements = new Map(tables.map((table) => [table.name, insertRows(table.name, table.columns)]))
  let batch: Param[][] = []
  let chars = 0
  let current: PortableTable | undefined
  let written = 0
  const flush = async () => {
    const statement = statements.get(current?.name ?? '')
    if (statement === undefined || batch.length === 0) return
    const rows = batch
    await store.transaction((sql) => insert(sql, statement, rows))
    written += rows.length
    progress?.('write', current?.name ?? '', written)
    batch = []
    chars = 0
  }
  for await (const { table, row, line } of readRows(source, tables)) {
    if (table !== current || batch.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush()
    current = table
    batch.push(row)
    chars += line.length
  }
  await flush()
}

async function insert(sql: Sql, statement: RowsStatement, rows: Param[][]): Promise<void> {
  await sql.bulk(statement, rows)
}

/** Reads all rows back and compares them with the export. */
async function verify(
  store: MaintenanceStore,
  { end, tables }: CheckedExport,
  { progress }: ImportOptions,
): Promise<void> {
  const found = await store.snapshot((sql) =>
    readAllTables(sql, tables, { progress: (table, rows) => progress?.('verify', table, rows) }),
  )
  const difference = firstDifference(end.tables, found)
  if (difference !== null) throw new Error(`The imported rows differ from the export. ${difference}.`)
}
