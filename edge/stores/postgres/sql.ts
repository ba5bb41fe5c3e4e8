// Implements the Sql port over a PostgreSQL connection: `$1` for `?`, and one statement over arrays for many rows.

import type { Dialect } from '../migrate.ts'
import type { Param, RowsStatement, Sql } from '../sql/sql.ts'
import type { Rows, StatementKind } from './connection.ts'
import type { Insert } from './insert-group.ts'

/** Sends a statement. `isUnread`: no code reads the result, so the next statement need not wait for it. */
export type Send = <Row>(text: string, params: Param[], kind: StatementKind, isUnread: boolean) => Promise<Rows<Row>>

/** Takes an insert that may be sent later, before the next statement; returns false when it may not. */
export type Defer = (insert: Insert) => boolean

const MAX_TEXTS = 1000
const texts = new Map<string, string>()
/** Statement texts for columns as joined texts, and for columns as arrays. */
const bulkTexts = { joined: new WeakMap<RowsStatement, string>(), arrays: new WeakMap<RowsStatement, string>() }

/** Creates the port. `defer` gets inserts whose results are not read. */
export function createPostgresSql(send: Send, defer: Defer = () => false): Sql {
  return {
    forUpdate: ' FOR UPDATE',
    skipLocked: ' FOR UPDATE SKIP LOCKED',
    // PostgreSQL has no index hints; the comment marks the statement for `kindOf`.
    usingIndex: (name) => `/* ${name} */`,
    jsonItems: (column) =>
      `json_array_elements(regexp_replace(${column}, '${ESCAPE}', '_', 'g')::json) WITH ORDINALITY AS e (value, key)`,
    all: <Row>(text: string, params: Param[] = []) =>
      send<Row>(numberParams(text), cleanParams(params), kindOf(text), false),
    async one<Row>(text: string, params: Param[] = []) {
      return (await send<Row>(numberParams(text), cleanParams(params), kindOf(text), false))[0]
    },
    async run(text, params = []) {
      return (await send(numberParams(text), cleanParams(params), kindOf(text), false)).count
    },
    async bulk<Row>(statement: RowsStatement, rows: Param[][]) {
      if (rows.length === 0) return []
      const joined = toColumns(statement, rows, joinTexts)
      const params = joined ?? toColumns(statement, rows, toTextArray) ?? []
      const text = bulkText(statement, joined === undefined ? 'arrays' : 'joined')
      const { into } = statement
      const isUnread = isResultUnread(statement)
      if (isUnread && into !== null && defer({ into, text, params })) return []
      return send<Row>(text, params, kindOf(text), isUnread)
    },
  }
}

/** Escapes of JSON, of which PostgreSQL refuses some: NUL and halves of a pair. */
const ESCAPE = '\\\\(u[0-9a-fA-F]{4}|.)'

const PREPARED: StatementKind = { prepare: true }
const REPLANNED: StatementKind = { prepare: false }

/**
 * A cached plan is unsuitable where the index depends on the values; such statements also have many texts. Claims and what is cut
 * off a log take rows of tables that are nearly empty most of the time: a plan cached then reads all rows for each one, later too.
 */
const kindOf = (text: string) => (/\/\*|SKIP LOCKED/.test(text) ? REPLANNED : PREPARED)

function isResultUnread({ into, text, isCheck }: RowsStatement): boolean {
  return isCheck === true || (!text.includes('RETURNING') && (into !== null || !text.startsWith('SELECT')))
}

/** Writes each `?` as `$1`, `$2`… */
export function numberParams(text: string): string {
  let known = texts.get(text)
  if (known === undefined) {
    if (texts.size >= MAX_TEXTS) texts.clear()
    let number = 0
    known = text.replace(/\?/g, () => `$${++number}`)
    texts.set(text, known)
  }
  return known
}

function bulkText(statement: RowsStatement, form: keyof typeof bulkTexts): string {
  let text = bulkTexts[form].get(statement)
  if (text === undefined) {
    const names = Object.keys(statement.columns).join(', ')
    const arrays = Object.values(statement.columns).map((type, at) =>
      type === 'text' && form === 'joined'
        ? `string_to_array($${at + 1}::text, E'\\x01', E'\\x02')`
        : `$${at + 1}::${ARRAY_TYPES[type]}`,
    )
    const rows = `SELECT * FROM unnest(${arrays.join(', ')})`
    text =
      statement.into === null
        ? `WITH given (${names}) AS (${rows}) ${statement.text}`
        : `INSERT INTO ${statement.into} (${names}) ${rows} ${statement.text}`
    bulkTexts[form].set(statement, text)
  }
  return text
}

const ARRAY_TYPES = { int: 'bigint[]', text: 'text[]' } as const

type TextColumn = (rows: Param[][], column: number) => string | undefined

/** Converts rows to columns; undefined when a text cannot be sent in this form. */
function toColumns({ columns }: RowsStatement, rows: Param[][], toTexts: TextColumn): string[] | undefined {
  const all: string[] = []
  for (const [column, type] of Object.values(columns).entries()) {
    const written = type === 'int' ? toNumberArray(rows, column) : toTexts(rows, column)
    if (written === undefined) return undefined
    all.push(written)
  }
  return all
}

function toNumberArray(rows: Param[][], column: number): string {
  return `{${rows.map((row) => row[column] ?? 'NULL').join(',')}}`
}

const SEPARATOR = '\x01'
const NULL_MARK = '\x02'
/** The separators of joined texts, and NUL, which PostgreSQL does not store. */
const NOT_JOINABLE = new RegExp(`[\0${SEPARATOR}${NULL_MARK}]`)

/**
 * Joins the texts of a column without escaping, which for JSON costs more than the statement itself
 * (docs/decisions/0007-postgres-batches.md).
 */
function joinTexts(rows: Param[][], column: number): string | undefined {
  const texts: string[] = []
  for (const row of rows) {
    const value = row[column] ?? null
    const text = value === null ? NULL_MARK : String(value)
    if (value !== null && NOT_JOINABLE.test(text)) return undefined
    texts.push(text)
  }
  const joined = texts.join(SEPARATOR)
  // An empty text would be read as an empty list.
  return joined === '' ? undefined : joined
}

/** Formats a column as a PostgreSQL array literal. */
function toTextArray(rows: Param[][], column: number): string {
  return `{${rows.map((row) => toText(row[column] ?? null)).join(',')}}`
}

const toText = (value: Param) => (value === null ? 'NULL' : `"${withoutNul(String(value)).replace(/["\\]/g, '\\$&')}"`)

/** Replaces NUL, which PostgreSQL does not store. */
const withoutNul = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)

function cleanParams(params: Param[]): Param[] {
  return params.map((param) => (typeof param === 'string' ? withoutNul(param) : param))
}

/**
 * Translates migrations for PostgreSQL. Texts compare by bytes, as on SQLite: this is faster, and the same
 * everywhere.
 */
export const POSTGRES: Dialect = {
  translate: (statement) => [
    statement
      .replace(
        /\bIDENTITY\b/g,
        `BIGINT GENERATED BY DEFAULT AS IDENTITY${statement.includes('PRIMARY KEY (') ? '' : ' PRIMARY KEY'}`,
      )
      .replace(/\bINTEGER\b/g, 'BIGINT')
      .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
      .replace(/ WITH ROOM$/, ' WITH (fillfactor = 80)')
      .replace(/\s+CLUSTERED\b/, '')
      .replace(/\bITEMS\(([^)]*)\)/g, 'jsonb_array_elements_text(($1)::jsonb)'),
  ],
}
