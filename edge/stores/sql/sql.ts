// Defines the SQL port of both engines: portable SQL (SQLite and PostgreSQL 15) with `?` for parameters. Booleans are
// 0/1, JSON is text.

export type Param = string | number | null
export type ColumnType = 'int' | 'text'
export type Columns = Record<string, ColumnType>

/** A statement over many rows: multi-row VALUES on SQLite, arrays through `unnest` on PostgreSQL. */
export interface RowsStatement {
  /** Names and types of the values of each row, in order. */
  columns: Columns
  /** For `into` the SQL after the rows; else the statement that reads the table `given`. */
  text: string
  /** The table into which the rows are inserted; null when `text` reads them as the table `given`. */
  into: string | null
  /** Whether the statement only fails when a condition is false; its result is not read. */
  isCheck?: true
}

export interface Sql {
  all<Row>(text: string, params?: Param[]): Promise<Row[]>
  /** Returns the first row; undefined when there is none. */
  one<Row>(text: string, params?: Param[]): Promise<Row | undefined>
  /** Returns the number of changed rows. */
  run(text: string, params?: Param[]): Promise<number>
  /** Runs a statement over rows in as few round trips as the engine allows; results have no defined order. */
  bulk<Row>(statement: RowsStatement, rows: Param[][]): Promise<Row[]>
  /** Appended to a SELECT whose rows this transaction will write; empty on SQLite, which has one writer. */
  readonly forUpdate: string
  /** Like `forUpdate`, but skips rows that another transaction has locked. */
  readonly skipLocked: string
  /** Appended to a table name: forces the index on SQLite (`<table>_pkey`: its key); only a comment on PostgreSQL. */
  usingIndex(name: string): string
  /** The items of a list in a column with JSON, as the table `e (key, value)`, for their fields without escapes (`e.value ->> 'id'`). */
  jsonItems(column: string): string
}

/** Runs work in one transaction, which is rolled back when the work throws. */
export interface Engine {
  /** `usesNoCache`: the work uses no cached users, so it need not fail when another node has erased some. */
  transaction<T>(work: (sql: Sql) => Promise<T>, usesNoCache?: boolean): Promise<T>
}

/** Builds `INSERT INTO table (columns) <rows> tail`. */
export function insertRows(table: string, columns: Columns, tail = ''): RowsStatement {
  return { into: table, columns, text: tail }
}

/**
 * Builds a statement that reads its rows as the table `given`. Write `FROM given CROSS JOIN t WHERE …`: it keeps
 * `given` in the outer loop on both engines.
 */
export function withRows(columns: Columns, text: string): RowsStatement {
  return { into: null, columns, text }
}

/** Builds a statement that fails when its condition is false; its result is not read. */
export function checkRows(columns: Columns, text: string): RowsStatement {
  return { into: null, columns, text, isCheck: true }
}

/** @returns The stored form of a boolean. */
export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** Counts all rows of a table. */
export async function countAll(sql: Sql, table: string): Promise<number> {
  return (await sql.one<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))?.rows ?? 0
}
