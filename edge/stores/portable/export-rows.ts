// Reads a whole store in one snapshot, page by page along the keys of its tables: memory stays the same, whatever the store holds.

import type { Param, Sql } from '../sql/sql.ts'
import type { BareStore } from './bare-store.ts'
import { createDigest, type TableDigest } from './portable-file.ts'
import { META_STAYS, type PortableTable } from './portable-tables.ts'

/** A page of the widest rows (256 KiB) is 64 MiB; of usual ones, a few hundred KiB. */
const PAGE_ROWS = 256

export interface ExportWriter {
  /** Takes a line without its end; resolves when more may come. */
  write(line: string): Promise<void> | void
  /** Called after each page, for people who wait. */
  progress?(table: string, rows: number): void
}

/** Answers counts and hashes by table. With `write` left out nothing is written: that is how a store is verified. */
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
    for await (const page of listPages(sql, table, columns)) {
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

/** The highest number that each identity column ever gave. */
export async function readIdentities(
  store: BareStore,
  sql: Sql,
  tables: readonly PortableTable[],
): Promise<Record<string, number>> {
  const entries: [string, number][] = []
  for (const { name, identity } of tables) {
    if (identity !== null) entries.push([name, await store.readIdentity(sql, name, identity)])
  }
  return Object.fromEntries(entries)
}

type Page = Record<string, Param>[]

async function* listPages(sql: Sql, { name, key }: PortableTable, columns: string[]): AsyncGenerator<Page> {
  const list = (after: string) => `SELECT ${columns.join(', ')} FROM ${name}${after} ORDER BY ${key.join(', ')} LIMIT ?`
  const mine = name === 'meta' ? `name NOT IN (${META_STAYS.map((one) => `'${one}'`).join(', ')})` : null
  const behind = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  const first = mine === null ? '' : ` WHERE ${mine}`
  const next = mine === null ? ` WHERE ${behind}` : ` WHERE ${behind} AND ${mine}`
  let page = await sql.all<Page[number]>(list(first), [PAGE_ROWS])
  while (page.length > 0) {
    yield page
    const last = page.at(-1)
    if (page.length < PAGE_ROWS || last === undefined) return
    page = await sql.all<Page[number]>(list(next), [...key.map((column) => last[column] ?? null), PAGE_ROWS])
  }
}
