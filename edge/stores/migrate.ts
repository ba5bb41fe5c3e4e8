// Applies the numbered migrations, each in its own transaction, without the indexes of large tables where the engine
// makes those beside other work. The caller holds the engine's migration lock.

import { baseline } from './migrations/0105-baseline.ts'
import { type LateIndex, type Migration, splitMigration } from './migrations/migration.ts'
import type { Engine, Sql } from './sql/sql.ts'

/** All migrations in order. A released migration never changes. */
export const MIGRATIONS: Migration[] = [baseline]

export interface Dialect {
  /** Translates `IDENTITY`, `CLUSTERED`, `WITH ROOM` (for changed rows, in each page) and INTEGER for the engine. */
  translate(statement: string): string[]
}

export interface TablesVersion {
  /** The number of the last applied migration. */
  number: number
  oldestBinary: number
}

/** Returns the table version that this program works on. */
export function knownTables(migrations = MIGRATIONS): number {
  return migrations.at(-1)?.number ?? 0
}

/** Reads the table version of a store. @throws Error for a store that was made before the first release */
export async function readTables(sql: Sql): Promise<TablesVersion> {
  const row = await sql.one<{ first: number; number: number; oldest_binary: number }>(
    'SELECT COALESCE(MIN(number), 0) AS first, COALESCE(MAX(number), 0) AS number, COALESCE(MAX(oldest_binary), 0) AS oldest_binary FROM migration',
  )
  refuseUnreleased(row?.first ?? 0, 'This store')
  return { number: row?.number ?? 0, oldestBinary: row?.oldest_binary ?? 0 }
}

/**
 * Refuses tables of before the first release; 0 stands for no tables.
 * @param what the first words of the error
 * @throws Error
 */
export function refuseUnreleased(version: number, what: string): void {
  if (version === 0 || version >= baseline.number) return
  throw new Error(
    `${what} was made before the first release, and this version cannot use it. Start with an empty data folder (DATA_DIR) or an empty database (DATABASE_URL).`,
  )
}

/** What `applied_at` is while the late indexes of a migration are not all made. An older program works without them. */
export const UNFINISHED = -1

export interface MigrationEngine extends Engine {
  /**
   * Makes an index beside the work of other processes, outside of a transaction; does nothing when it exists and is
   * complete. Without it, indexes are made within the transaction of their migration.
   */
  makeIndex?(index: LateIndex): Promise<void>
}

/**
 * Applies the missing migrations, and finishes those whose indexes are not all made.
 * @returns The numbers of these migrations.
 * @throws Error when a newer program changed the tables so that this one cannot work on them.
 */
export async function migrate(
  engine: MigrationEngine,
  dialect: Dialect,
  now: number,
  migrations = MIGRATIONS,
): Promise<number[]> {
  const known = knownTables(migrations)
  const applied = await engine.transaction(async (sql) => {
    for (const text of dialect.translate(CREATE_VERSION)) await sql.run(text)
    const rows = await sql.all<{ number: number; applied_at: number }>('SELECT number, applied_at FROM migration')
    return { ...(await readTables(sql)), at: new Map(rows.map((row) => [row.number, row.applied_at])) }
  })
  if (applied.oldestBinary > known) {
    throw new Error(
      `The data were written by a newer version (tables ${applied.number}, this program knows ${known}). Install that version or a later one.`,
    )
  }
  // A store without rows needs no care.
  const makeIndex = applied.at.size === 0 ? undefined : engine.makeIndex
  const done: number[] = []
  for (const migration of migrations) {
    // Compared by number: a migration that was finished after its successor is applied too.
    const appliedAt = applied.at.get(migration.number)
    if (appliedAt !== undefined && (appliedAt !== UNFINISHED || makeIndex === undefined)) continue
    const { inside, late } = splitMigration(migration)
    const isLate = makeIndex !== undefined && late.length > 0
    if (appliedAt === undefined) {
      const statements = (isLate ? inside : migration.statements).flatMap((text) => dialect.translate(text))
      await engine.transaction((sql) => record(sql, { ...migration, statements }, isLate ? UNFINISHED : now))
    }
    if (isLate) {
      for (const index of late) {
        for (const statement of dialect.translate(index.statement)) await makeIndex({ ...index, statement })
      }
      await engine.transaction((sql) =>
        sql.run('UPDATE migration SET applied_at = ? WHERE number = ?', [now, migration.number]),
      )
    }
    done.push(migration.number)
  }
  return done
}

/** Runs the statements and records the migration, unless another process has: its row is locked until the end. */
async function record(sql: Sql, { number, oldestBinary, statements }: Migration, at: number): Promise<void> {
  const isNew = await sql.run(
    'INSERT INTO migration (number, oldest_binary, applied_at) VALUES (?, ?, ?) ON CONFLICT (number) DO NOTHING',
    [number, oldestBinary, at],
  )
  if (isNew > 0) for (const statement of statements) await sql.run(statement)
}

const CREATE_VERSION =
  'CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, oldest_binary INTEGER NOT NULL, applied_at INTEGER NOT NULL)'
