// Reads a whole store page by page along the keys of its tables: large stores need no more memory.

import type { Sql } from '../sql/sql.ts'
import { createDigest, type TableDigest } from './export-format.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import { type Page, readPage } from './page-rows.ts'
import { META_NOT_EXPORTED, type PortableTable } from './portable-tables.ts'

export interface ExportWriter {
  /** Writes a line without its line end; resolves when more may follow. */
  write(line: string): Promise<void> | void
  /** Reports progress after each page. */
  progress?(table: string, rows: number): void
}

/**
 * Reads all rows and passes them to `writer`; without `write` it only counts and hashes them, to verify a store.
 * @returns Counts and hashes by table.
 */
export async function readAllTables(
  sql: Sql,
  tables: readonly PortableTable[],
  writer: Partial<ExportWriter> = {},
): Promise<Record<string, TableDigest>> {
  const digests: Record<string, TableDigest> = {}
  for (const table of tables) {
    const columns = Object.keys(table.columns)
    await writer.write?.(JSON.stringify({ table: table.name, columns }))
    const digest = createDigest()
    let rows = 0
    for await (const page of listPages(sql, table)) {
      for (const row of page) {
        const line = JSON.stringify(columns.map((column) => row[column] ?? null))
        digest.add(line)
        await writer.write?.(line)
      }
      rows += page.length
      writer.progress?.(table.name, rows)
    }
    digests[table.name] = digest.result()
  }
  return digests
}

/** @returns The highest number that each identity column has generated, by table. */
export async function readIdentities(
  store: MaintenanceStore,
  sql: Sql,
  tables: readonly PortableTable[],
): Promise<Record<string, number>> {
  const entries: [string, number][] = []
  for (const { name, identity } of tables) {
    if (identity !== null) entries.push([name, await store.readIdentity(sql, name, identity)])
  }
  return Object.fromEntries(entries)
}

async function* listPages(sql: Sql, { name, key, columns }: PortableTable): AsyncGenerator<Page> {
  const order = ` ORDER BY ${key.join(', ')}`
  const exported = name === 'meta' ? `name NOT IN (${META_NOT_EXPORTED.map((one) => `'${one}'`).join(', ')})` : null
  const afterKey = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  const first = `FROM ${name}${exported === null ? '' : ` WHERE ${exported}`}${order}`
  const next = `FROM ${name} WHERE ${afterKey}${exported === null ? '' : ` AND ${exported}`}${order}`
  let page = await readPage(sql, columns, first, [])
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page
    const place = key.map((column) => last?.[column] ?? null)
    page = await readPage(sql, columns, next, place)
  }
}
