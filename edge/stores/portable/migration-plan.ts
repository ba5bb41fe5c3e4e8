// Describes what the missing migrations of a store do: each step with the lock that it takes, and an estimate from the
// rows of its table.

import { MIGRATIONS } from '../migrate.ts'
import { splitMigration } from '../migrations/migration.ts'
import type { Sql } from '../sql/sql.ts'
import type { MaintenanceStore } from './maintenance-store.ts'

export interface PlannedStep {
  migration: number
  /** The statement without its columns, such as `CREATE INDEX topic_by_key ON topic`. */
  step: string
  /** The table that has rows, or null where the step touches none. */
  table: string | null
  rows: number
  lock: string
  /** What the step takes, about; 0 for a step that takes the same time whatever the rows. */
  seconds: number
}

/** What waits while a step runs, by engine and kind of step. */
const LOCKS = {
  PostgreSQL: {
    none: 'none',
    table: 'the table, for a moment',
    index: 'none: CONCURRENTLY, writes go on',
    rows: 'the rows that it changes',
  },
  SQLite: { none: 'none', table: 'the store', index: 'the store', rows: 'the store' },
}

/** Rows a second on two cores, measured (docs/operations.md#updating). */
const PACE = { PostgreSQL: { index: 300_000, rows: 50_000 }, SQLite: { index: 400_000, rows: 300_000 } }

const KINDS = [
  [/^CREATE TABLE (\w+)/, 'none'],
  [/^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/, 'index'],
  [/^(?:UPDATE|DELETE FROM) (\w+)/, 'rows'],
  // The rows that a statement reads are those that it writes about as many of.
  [/^INSERT INTO \w+.* FROM (?:\(SELECT .* FROM )?(\w+)/, 'rows'],
  [/^INSERT INTO/, 'none'],
  [/^(?:ALTER|DROP) TABLE (\w+)/, 'table'],
  [/^DROP INDEX/, 'table'],
] as const

/** @returns the steps of these migrations in their order; the numbers of rows are those that the engine knows */
export function planMigrations(
  store: MaintenanceStore,
  missing: number[],
  migrations = MIGRATIONS,
): Promise<PlannedStep[]> {
  return store.snapshot(async (sql) => {
    const rows = new Map<string, number>()
    const rowsOf = async (table: string) => {
      const known = rows.get(table) ?? (await countRows(store, sql, table))
      rows.set(table, known)
      return known
    }
    const planned: PlannedStep[] = []
    for (const migration of migrations.filter(({ number }) => missing.includes(number))) {
      const { inside, late } = splitMigration(migration)
      for (const statement of [...inside, ...late.map((index) => index.statement)])
        planned.push({ migration: migration.number, ...(await plan(store.engine, statement, rowsOf)) })
    }
    return planned
  })
}

async function plan(engine: keyof typeof LOCKS, statement: string, rowsOf: (table: string) => Promise<number>) {
  const text = statement.replace(/\s+/g, ' ').trim()
  const [pattern, kind] = KINDS.find(([known]) => known.test(text)) ?? [/$/, 'table' as const]
  const table = kind === 'none' ? null : (pattern.exec(text)?.[1] ?? null)
  const rows = table === null ? 0 : await rowsOf(table)
  const seconds = kind === 'index' || kind === 'rows' ? Math.ceil(rows / PACE[engine][kind]) : 0
  return {
    step: text.replace(/ ?\(.*| (?:SET|VALUES|SELECT|WHERE) .*/, ''),
    table,
    rows,
    lock: LOCKS[engine][kind],
    seconds,
  }
}

/** A table that a missing migration makes has no rows. */
async function countRows(store: MaintenanceStore, sql: Sql, table: string): Promise<number> {
  return (await store.hasTable(sql, table)) ? store.countRows(sql, table) : 0
}
