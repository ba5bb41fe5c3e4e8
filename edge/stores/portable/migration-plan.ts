// Describes what the missing migrations of a store do: each step with the lock that it takes, and an estimate from the
// rows of its table.

import { MIGRATIONS } from '../migrate.ts'
import { splitMigration } from '../migrations/migration.ts'
import type { Sql } from '../sql/sql.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import type { Pending } from './pending-migrations.ts'

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
    'table-kept': 'the table, until all steps of the migration but its indexes are done',
    index: 'none: CONCURRENTLY, writes go on',
    rows: 'the rows that it changes',
  },
  SQLite: {
    none: 'none',
    table: 'the store',
    'table-kept': 'the store',
    index: 'the store',
    rows: 'the store',
  },
}

/** Rows a second on two cores, measured (docs/upgrading.md#how-migrations-run). */
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

/** @returns the steps that are missing, in their order; the numbers of rows are those that the engine knows */
export function planMigrations(
  store: MaintenanceStore,
  { missing, unfinished }: Pick<Pending, 'missing' | 'unfinished'>,
  migrations = MIGRATIONS,
): Promise<PlannedStep[]> {
  return store.snapshot(async (sql) => {
    // Null: a missing migration makes the table.
    const rows = new Map<string, number | null>()
    const rowsOf = async (table: string) => {
      const known = rows.has(table) ? (rows.get(table) ?? null) : await countRows(store, sql, table)
      rows.set(table, known)
      return known
    }
    const planned: PlannedStep[] = []
    for (const migration of migrations.filter(({ number }) => missing.includes(number))) {
      const { number } = migration
      const { inside, late } = splitMigration(migration)
      const statements = late.map((index) => index.statement)
      if (!unfinished.includes(number)) statements.unshift(...inside)
      const steps = await Promise.all(statements.map((statement) => plan(statement, rowsOf)))
      for (const [place, { kind, ...step }] of steps.entries()) {
        // A lock of a table ends with the transaction, which has all steps but the late indexes.
        const isKept = kind === 'table' && steps.slice(place).some((one) => one.kind === 'rows' && one.rows > 0)
        const seconds = kind === 'index' || kind === 'rows' ? Math.ceil(step.rows / PACE[store.engine][kind]) : 0
        planned.push({ migration: number, ...step, lock: LOCKS[store.engine][isKept ? 'table-kept' : kind], seconds })
      }
    }
    return planned
  })
}

async function plan(statement: string, rowsOf: (table: string) => Promise<number | null>) {
  const text = statement.replace(/\s+/g, ' ').trim()
  const [pattern, kind] = KINDS.find(([known]) => known.test(text)) ?? [/$/, 'table' as const]
  const table = kind === 'none' ? null : (pattern.exec(text)?.[1] ?? null)
  const rows = table === null ? 0 : await rowsOf(table)
  return {
    step: text.replace(/ ?\(.*| (?:SET|VALUES|SELECT|WHERE) .*/, ''),
    table,
    rows: rows ?? 0,
    // Nobody waits for a table that was not there before.
    kind: rows === null ? ('none' as const) : kind,
  }
}

async function countRows(store: MaintenanceStore, sql: Sql, table: string): Promise<number | null> {
  return (await store.hasTable(sql, table)) ? store.countRows(sql, table) : null
}
