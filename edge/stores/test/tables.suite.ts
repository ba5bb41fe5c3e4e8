// Tests that the description of each table equals its columns, and that rows are read as they were written.

import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Sql } from '../sql/sql.ts'
import { type Column, type ColumnSet, columnName, insertInto, type Table, view } from '../tables/table.ts'

/** A column as the engine reports it. */
export interface StoredColumn {
  name: string
  type: 'int' | 'text'
  isNullable: boolean
}

/** A migrated store, open for the whole file. */
export interface MigratedStore {
  sql(): Sql
  listTables(): Promise<string[]>
  listColumns(table: string): Promise<StoredColumn[]>
}

const folder = new URL('../tables/', import.meta.url)
const modules = await Promise.all(
  readdirSync(folder)
    .filter((name) => !/^table\.ts$|\.test\.ts$/.test(name))
    .map((name): Promise<object> => import(new URL(name, folder).pathname)),
)
const TABLES = modules.flatMap((module) => Object.values(module).filter(isTable)).map((one) => [one.name, one] as const)

function isTable(value: unknown): value is Table<ColumnSet> {
  return typeof value === 'object' && value !== null && 'name' in value && 'columns' in value
}

export function tablesSuite(name: string, store: MigratedStore): void {
  describe(name, () => {
    test('each table is described once', async () => {
      // `migration` has only the statements of `migrate.ts`.
      const migrated = (await store.listTables()).filter((table) => table !== 'migration')
      expect(TABLES.map(([table]) => table).sort()).toEqual(migrated.sort())
    })

    test.each(TABLES)('%s has the described columns', async (_, table) => {
      const described = Object.entries(table.columns).map(([field, { kind, isNullable }]) => {
        const type = kind === 'integer' || kind === 'boolean' ? 'int' : 'text'
        return { name: columnName(table, field), type, isNullable }
      })
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
      expect(described.sort(byName)).toEqual((await store.listColumns(table.name)).sort(byName))
    })

    test.each(TABLES)('a row of %s is read as it was written', async (_, table) => {
      const all = Object.keys(table.columns)
      const insert = insertInto(table)
      const { columns, read } = view(table, 't', all)
      await fc.assert(
        fc.asyncProperty(rowOf(table), async (row) => {
          const sql = store.sql()
          await sql.run(`DELETE FROM ${table.name}`)
          await insert.write(sql, [written(table, row) as Parameters<typeof insert.toParams>[0]])
          expect(
            (await sql.all<Parameters<typeof read>[0]>(`SELECT ${columns} FROM ${table.name} t`)).map(read),
          ).toEqual([row])
        }),
        { numRuns: 30, seed: 18 },
      )
      await store.sql().run(`DELETE FROM ${table.name}`)
    })
  })
}

type Row = Record<string, unknown>

/** Creates random rows as they are read. */
function rowOf(table: Table<ColumnSet>): fc.Arbitrary<Row> {
  return fc.record(
    Object.fromEntries(Object.entries(table.columns).map(([field, column]) => [field, arbitraryOf(column)])),
  )
}

function arbitraryOf({ kind, isNullable }: Column): fc.Arbitrary<unknown> {
  const value = arbitraryOfKind(kind)
  return isNullable ? fc.option(value, { nil: null }) : value
}

function arbitraryOfKind(kind: Column['kind']): fc.Arbitrary<unknown> {
  if (kind === 'integer') return fc.maxSafeInteger()
  if (kind === 'boolean') return fc.boolean()
  // PostgreSQL stores no NUL.
  if (kind === 'text') return fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''))
  // JSON's null is the column's null.
  return fc
    .jsonValue()
    .filter((value) => value !== null)
    .map((value) => JSON.parse(JSON.stringify(value)))
}

/** Returns the row as it is written: JSON text where a plan has text. */
function written(table: Table<ColumnSet>, row: Row): Row {
  const entries = Object.entries(table.columns).map(([field, { kind, isNullable }]) => {
    const value = row[field]
    return [field, kind === 'json-text' && !(isNullable && value === null) ? JSON.stringify(value) : value]
  })
  return Object.fromEntries(entries)
}
