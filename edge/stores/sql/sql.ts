// The one port over both engines: portable SQL (SQLite and PostgreSQL 15) with `?` for parameters. Booleans are 0/1, JSON is text.

export type Param = string | number | null
export type ColumnType = 'int' | 'text'
export type Columns = Record<string, ColumnType>

/** A statement over many rows at once: multi-row VALUES on SQLite, arrays through `unnest` on PostgreSQL. */
export interface RowsStatement {
  /** Names and types of the values of each row, in their order. */
  columns: Columns
  /** The text behind the rows: for `insert` what follows them, for `given` the statement that reads the table `given`. */
  text: string
  /** The table that the rows are inserted into; null when `text` reads them as the table `given`. */
  into: string | null
  /** It fails when something is not so, and answers nothing that anybody reads. */
  isCheck?: true
}

export interface Sql {
  all<Row>(text: string, params?: Param[]): Promise<Row[]>
  /** The first row. */
  one<Row>(text: string, params?: Param[]): Promise<Row | undefined>
  /** Answers how many rows changed. */
  run(text: string, params?: Param[]): Promise<number>
  /** Runs a statement over rows in as few round trips as the engine allows; answers what it returns, in no certain order. */
  bulk<Row>(statement: RowsStatement, rows: Param[][]): Promise<Row[]>
  /** Behind a SELECT whose rows this transaction is going to write: empty where one writer stands alone. */
  readonly forUpdate: string
  /** The same, passing over rows that another transaction holds. */
  readonly skipLocked: string
  /** Behind a table's name: names the index where the engine's planner must be told which one serves; else empty. */
  usingIndex(name: string): string
}

/** What runs work in one transaction: all of it or, when it throws, nothing. */
export interface Engine {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/** `INSERT INTO table (columns) <rows> tail`. */
export function insertRows(table: string, columns: Columns, tail = ''): RowsStatement {
  return { into: table, columns, text: tail }
}

/** A statement that reads its rows as the table `given`. Write `FROM given CROSS JOIN t WHERE …`: it keeps `given` outside on both engines. */
export function withRows(columns: Columns, text: string): RowsStatement {
  return { into: null, columns, text }
}

/** The same, where nobody reads the answer: a statement that fails when what it says is not so. */
export function checkRows(columns: Columns, text: string): RowsStatement {
  return { into: null, columns, text, isCheck: true }
}

export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0)
