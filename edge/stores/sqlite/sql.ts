// Implements the Sql port over one SQLite connection. It is synchronous inside, prepares each statement once, and
// writes rows in chunks of a few fixed sizes.

import type { Dialect } from '../migrate.ts'
import type { Engine, Param, RowsStatement, Sql } from '../sql/sql.ts'
import type { SqliteConnection, SqliteStatement } from './driver.ts'

/** Fixed sizes, so that each statement is prepared only a few times. */
const CHUNK_ROWS = [128, 32, 8, 1]
const MAX_STATEMENTS = 500

/** Creates the port. Its promises are already resolved: a transaction never waits inside. */
export function createSqliteSql(connection: SqliteConnection): Sql {
  const statements = new Map<string, SqliteStatement>()
  const chunks = new WeakMap<RowsStatement, Map<number, SqliteStatement>>()

  function prepared(text: string): SqliteStatement {
    let statement = statements.get(text)
    if (statement === undefined) {
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statement = connection.prepare(planOnce(text))
      statements.set(text, statement)
    }
    return statement
  }

  function preparedChunk(rows: RowsStatement, size: number): SqliteStatement {
    let bySize = chunks.get(rows)
    if (bySize === undefined) {
      bySize = new Map()
      chunks.set(rows, bySize)
    }
    let statement = bySize.get(size)
    if (statement === undefined) {
      statement = connection.prepare(planOnce(chunkText(rows, size)))
      bySize.set(size, statement)
    }
    return statement
  }

  return {
    forUpdate: '',
    skipLocked: '',
    // The key of a table whose rows are stored by a number (`byRowid`).
    usingIndex: (name) => `INDEXED BY ${name.replace(/_pkey$/, '_key')}`,
    jsonItems: (column) => `json_each(${column}) AS e`,
    async all<Row>(text: string, params: Param[] = []) {
      return prepared(text).all(params) as Row[]
    },
    async one<Row>(text: string, params: Param[] = []) {
      return prepared(text).all(params)[0] as Row | undefined
    },
    async run(text, params = []) {
      return prepared(text).run(params)
    },
    async bulk<Row>(statement: RowsStatement, rows: Param[][]) {
      const found: Row[] = []
      let start = 0
      for (const size of CHUNK_ROWS) {
        while (rows.length - start >= size) {
          const chunk = preparedChunk(statement, size)
          const params = flatten(rows, start, start + size)
          if (chunk.reader) for (const row of chunk.all(params)) found.push(row as Row)
          else chunk.run(params)
          start += size
        }
      }
      return found
    },
  }
}

/**
 * Makes SQLite plan a statement once. A parameter alone in LIMIT would be planned again for each value: 30 of the
 * 122 µs of an inbox page. A sum is not.
 */
function planOnce(text: string): string {
  return text.replace(/\bLIMIT \?/g, 'LIMIT ? + 0')
}

/** A loop, because this runs for every written row and `flat` is several times slower. */
function flatten(rows: Param[][], start: number, end: number): Param[] {
  const flat: Param[] = []
  for (let index = start; index < end; index++) for (const param of rows[index] ?? []) flat.push(param)
  return flat
}

function chunkText(statement: RowsStatement, size: number): string {
  const names = Object.keys(statement.columns)
  const row = `(${names.map(() => '?').join(', ')})`
  const values = `VALUES ${Array(size).fill(row).join(', ')}`
  // FAIL in place of ABORT: an error rolls the transaction back anyway, so no statement needs its own journal.
  if (statement.into !== null) {
    return `INSERT OR FAIL INTO ${statement.into} (${names.join(', ')}) ${values} ${statement.text}`
  }
  return `WITH given (${names.join(', ')}) AS (${values}) ${statement.text}`
}

/** Creates transactions on the connection; the caller runs one at a time. */
export function createSqliteEngine(connection: SqliteConnection, sql: Sql): Engine {
  return {
    async transaction(work) {
      connection.exec('BEGIN IMMEDIATE')
      try {
        const result = await work(sql)
        connection.exec('COMMIT')
        return result
      } catch (error) {
        rollBack(connection)
        throw error
      }
    },
  }
}

function rollBack(connection: SqliteConnection): void {
  try {
    connection.exec('ROLLBACK')
  } catch {
    // SQLite has already rolled back (a full disk, an I/O error): the first error is the one to report.
  }
}

/**
 * @returns A function that returns whether another connection has committed since its last call; call it inside a
 * transaction.
 */
export function createVersionWatch(connection: SqliteConnection): () => boolean {
  const read = connection.prepare('PRAGMA data_version')
  const version = () => (read.all([])[0] as { data_version: number }).data_version
  let known = version()
  return () => {
    const former = known
    known = version()
    return known !== former
  }
}

/**
 * Stores the rows of a key of environment and number by the number, which is unique in the store: a row is found in one
 * step. Entries of the index of the environment are in the order of the numbers. An index that names the number too
 * would make SQLite 3.45 (libsql) lose rows of `(environment_id, id) IN (SELECT …)`.
 */
function byRowid(statement: string): string[] {
  const [, table] = /^CREATE TABLE (\w+) /.exec(statement) ?? []
  const [key, number] = /, PRIMARY KEY \(environment_id, (\w+)\)(?=\)$)/.exec(statement.replace(/\s+/g, ' ')) ?? []
  const column = new RegExp(`\\b${number} (INTEGER NOT NULL|IDENTITY)`)
  if (table === undefined || key === undefined || !column.test(statement)) return [statement]
  return [
    statement
      .replace(/,\s+PRIMARY KEY \(environment_id, \w+\)(?=\)$)/, '')
      .replace(column, (_, type: string) => `${number} ${type === 'IDENTITY' ? type : 'INTEGER PRIMARY KEY'}`),
    `CREATE INDEX ${table}_key ON ${table} (environment_id)`,
  ]
}

/** Translates migrations for SQLite. */
export const SQLITE: Dialect = {
  translate: (statement) =>
    byRowid(statement).map((text) =>
      text
        .replace(/ WITH ROOM$/, '')
        .replace('IDENTITY', 'INTEGER PRIMARY KEY AUTOINCREMENT')
        .replace(/\bCLUSTERED$/, 'WITHOUT ROWID')
        .replaceAll('ITEMS(', 'json_each('),
    ),
}
