// Describes the columns of tables as data, and creates the statements and conversions for their rows from it.

import { type Columns, insertRows, type Param, type RowsStatement, type Sql, withRows } from '../sql/sql.ts'

/** The kind of a column: both kinds of JSON are stored as text, `boolean` as 0 or 1. */
export type Kind = 'integer' | 'text' | 'boolean' | 'json' | 'json-text'

/** A column of a field. `In` is the type that is written, `Out` the type that is read. */
export interface Column<In = never, Out = unknown> {
  kind: Kind
  isNullable: boolean
  /** The name in the database; undefined for the field's name in snake case. */
  name: string | undefined
  /** For the compiler only: never set. */
  types?: { in: (value: In) => void; out: Out }
}

export function integer(name?: string): Column<number, number> {
  return { kind: 'integer', isNullable: false, name }
}

export function text(name?: string): Column<string, string> {
  return { kind: 'text', isNullable: false, name }
}

/** Describes a text with a known set of values. `Out` is set where the type that is written is wider. */
export function textOf<In extends string, Out = In>(name?: string): Column<In, Out> {
  return { kind: 'text', isNullable: false, name }
}

export function boolean(name?: string): Column<boolean, boolean> {
  return { kind: 'boolean', isNullable: false, name }
}

/** Describes a value that is stored as JSON text. */
export function json<T>(name?: string): Column<T, T> {
  return { kind: 'json', isNullable: false, name }
}

/** Describes a value that plans have as JSON text already; it is parsed when it is read. */
export function jsonText<T>(name?: string): Column<string, T> {
  return { kind: 'json-text', isNullable: false, name }
}

/** Describes a column that may also be null. */
export function orNull<In, Out>(column: Column<In, Out>): Column<In | null, Out | null> {
  return { kind: column.kind, isNullable: true, name: column.name }
}

export type ColumnSet = Record<string, Column>

/** The columns of a domain type. The compiler reports a field that is missing or has another type. */
export type ColumnsOf<T> = { [K in keyof T]-?: Column<T[K]> }

/** The fields of a row as they are written. */
export type Written<C extends ColumnSet> = { [K in keyof C]: C[K] extends Column<infer In, unknown> ? In : never }

/** The fields of a row as they are read. */
export type Read<C extends ColumnSet> = { [K in keyof C]: C[K] extends Column<never, infer Out> ? Out : never }

export interface Table<C extends ColumnSet> {
  name: string
  columns: C
}

type Field<C> = keyof C & string

/** Describes a table. */
export function table<C extends ColumnSet>(name: string, columns: C): Table<C> {
  return { name, columns }
}

/** A table whose rows are partly filled by plans, and completed by the commit. */
export interface PlannedTable<P extends ColumnSet, D extends ColumnSet> extends Table<P & D> {
  planned: readonly Field<P>[]
  completed: readonly Field<D>[]
}

/** Describes a table with the columns of the plan (`planned`) and those of the commit. */
export function plannedTable<P extends ColumnSet, D extends ColumnSet>(
  name: string,
  planned: P,
  completed: D,
): PlannedTable<P, D> {
  return { name, columns: { ...planned, ...completed }, planned: namesOf(planned), completed: namesOf(completed) }
}

/** @returns The names of the fields, in their order. */
export function namesOf<T extends object>(fields: T): readonly (keyof T & string)[] {
  return Object.keys(fields) as (keyof T & string)[]
}

/** @returns The name of a field's column in the database. */
export function columnName<C extends ColumnSet>({ columns }: Table<C>, field: Field<C>): string {
  return columns[field]?.name ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Values of some columns, in one order. */
export interface Values<Row> {
  /** Names and types for a `RowsStatement`. */
  columns: Columns
  /** Appends the row's values to `params`, and returns them. */
  toParams(row: Row, params?: Param[]): Param[]
}

/**
 * Creates the conversion of some fields to parameters, in the order of `fields`.
 * @throws Error when the table has no such field.
 */
export function valuesOf<C extends ColumnSet, F extends Field<C>>(
  of: Table<C>,
  fields: readonly F[],
): Values<Pick<Written<C>, F>> {
  const kinds = fields.map((field) => kindOf(of, field))
  const isNumber = (kind: Kind) => kind === 'integer' || kind === 'boolean'
  const names = fields.map((field, index) => [columnName(of, field), isNumber(kinds[index]!) ? 'int' : 'text'])
  const indexesOf = (kind: Kind) => [...kinds.keys()].filter((index) => kinds[index] === kind)
  const [booleans, objects] = [indexesOf('boolean'), indexesOf('json')]
  return {
    columns: Object.fromEntries(names),
    toParams(row, params = []) {
      const start = params.length
      let count = 0
      // Faster than reading by names (record-codec.ts), for a row with its fields in this order.
      for (const field in row) {
        if (field !== fields[count]) continue
        params.push(row[field as F] as Param)
        count += 1
      }
      for (; count < fields.length; count += 1) params.push(row[fields[count]!] as Param)
      for (const index of booleans) params[start + index] = (params[start + index] as unknown) === true ? 1 : 0
      for (const index of objects) params[start + index] = toJson(params[start + index])
      return params
    },
  }
}

function kindOf<C extends ColumnSet>({ columns }: Table<C>, field: Field<C>): Kind {
  const column = columns[field]
  if (column === undefined) throw new Error(`unknown column: ${field}`)
  return column.kind
}

const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** A statement over rows, with the conversion of a row to its parameters. */
export interface Writer<Row> {
  statement: RowsStatement
  toParams(row: Row): Param[]
  /** Writes the rows; resolves with the rows of a RETURNING clause. */
  write<Returned>(sql: Sql, rows: readonly Row[]): Promise<Returned[]>
}

function writer<Row>(statement: RowsStatement, toParams: (row: Row) => Param[]): Writer<Row> {
  return { statement, toParams, write: (sql, rows) => sql.bulk(statement, rows.map(toParams)) }
}

/** Creates `INSERT INTO table (fields) <rows> tail`. */
export function insertInto<C extends ColumnSet, F extends Field<C> = Field<C>>(
  into: Table<C>,
  fields: readonly F[] = namesOf(into.columns) as readonly F[],
  tail = '',
): Writer<Pick<Written<C>, F>> {
  const { columns, toParams } = valuesOf(into, fields)
  return writer(insertRows(into.name, columns, tail), (row) => toParams(row))
}

/**
 * Creates `INSERT INTO table (fields) VALUES (…) tail` of one row.
 * @returns Writes a row; resolves with the number of inserted rows, which `tail` may make 0.
 */
export function insertOne<C extends ColumnSet, F extends Field<C> = Field<C>>(
  into: Table<C>,
  fields: readonly F[] = namesOf(into.columns) as readonly F[],
  tail = '',
): (sql: Pick<Sql, 'run'>, row: Pick<Written<C>, F>) => Promise<number> {
  const { columns, toParams } = valuesOf(into, fields)
  const names = Object.keys(columns)
  const text = `INSERT INTO ${into.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${tail}`
  return (sql, row) => sql.run(text, toParams(row))
}

/** Creates an INSERT of rows in two parts, because an object with both parts would cost more than the parameters. */
export function insertPlanned<P extends ColumnSet, D extends ColumnSet>(
  into: PlannedTable<P, D>,
): Writer<readonly [Written<P>, Written<D>]> {
  const planned = valuesOf<P & D, Field<P>>(into, into.planned)
  const completed = valuesOf<P & D, Field<D>>(into, into.completed)
  const statement = insertRows(into.name, { ...planned.columns, ...completed.columns })
  return writer(statement, (row) => completed.toParams(row[1] as never, planned.toParams(row[0] as never)))
}

/** Creates an INSERT that replaces the values of a row with the same key. */
export function replaceInto<C extends ColumnSet>(into: Table<C>, key: readonly Field<C>[]): Writer<Written<C>> {
  const fields = namesOf(into.columns)
  const names = key.map((field) => columnName(into, field)).join(', ')
  const others = fields.filter((field) => !key.includes(field))
  return insertInto(into, fields, `ON CONFLICT (${names}) DO UPDATE SET ${setExcluded(into, others)}`)
}

/** @returns The assignments of an INSERT that replaces values of a row with the same key, as SQL. */
export function setExcluded<C extends ColumnSet>(of: Table<C>, fields: readonly Field<C>[]): string {
  const names = fields.map((field) => columnName(of, field))
  return names.map((name) => `${name} = excluded.${name}`).join(', ')
}

/** Creates an UPDATE of the rows that `key` names. */
export function updateRows<C extends ColumnSet, K extends Field<C>, F extends Field<C>>(
  of: Table<C>,
  key: readonly K[],
  fields: readonly F[],
): Writer<Pick<Written<C>, K | F>> {
  const { columns, toParams } = valuesOf<C, K | F>(of, [...key, ...fields])
  const names = key.map((field) => columnName(of, field))
  const same = names.map((name) => `${of.name}.${name} = given.${name}`).join(' AND ')
  return writer(withRows(columns, `UPDATE ${of.name} SET ${setGiven(of, fields)} FROM given WHERE ${same}`), (row) =>
    toParams(row),
  )
}

/** @returns The assignments of an UPDATE from the table `given`, as SQL. */
export function setGiven<C extends ColumnSet>(of: Table<C>, fields: readonly Field<C>[]): string {
  const names = fields.map((field) => columnName(of, field))
  return names.map((name) => `${name} = given.${name}`).join(', ')
}

/** A row as the driver returns it. */
export type RawRow = Record<string, Param>

/** Some columns of a table, and the conversion of a row of them to an object. */
export interface View<Row> {
  /** The columns for a SELECT or RETURNING clause, named as the fields. */
  columns: string
  /** NULL for each column: for a part of a UNION without the table. */
  nulls: string
  /** Returns the fields of this view; ignores other columns of the row. */
  read(raw: RawRow): Row
  parts: readonly ViewPart[]
}

interface ViewPart {
  name: string
  kind: Kind
  /** With the table's alias. */
  column: string
}

/** The object that a view reads. */
export type RowOf<V> = V extends View<infer Row> ? Row : never

/**
 * Creates a view of some fields.
 * @param alias The table's alias in the statement; '' for none.
 * @param renamed Fields under another name, by that name.
 * @throws Error when the table has no such field.
 */
export function view<
  C extends ColumnSet,
  F extends Field<C>,
  R extends Record<string, Field<C>> = Record<never, never>,
>(
  of: Table<C>,
  alias: string,
  fields: readonly F[],
  renamed?: R,
): View<Pick<Read<C>, F> & { [K in keyof R]: Read<C>[R[K]] }> {
  type Row = Pick<Read<C>, F> & { [K in keyof R]: Read<C>[R[K]] }
  const names = [...fields.map((field) => [field, field]), ...Object.entries(renamed ?? {})] as [string, Field<C>][]
  const prefix = alias === '' ? '' : `${alias}.`
  return viewOf<Row>(
    names.map(([name, field]) => ({ name, kind: kindOf(of, field), column: `${prefix}${columnName(of, field)}` })),
  )
}

/** Creates a view of the fields of two views: of one row of a join. */
export function viewBoth<A, B>(one: View<A>, other: View<B>): View<A & B> {
  return viewOf([...one.parts, ...other.parts])
}

function viewOf<Row>(parts: readonly ViewPart[]): View<Row> {
  // Copied and then filled: an object that grows field by field costs more.
  const empty = Object.fromEntries(parts.map(({ name }) => [name, null]))
  return {
    parts,
    columns: parts.map(({ name, column }) => `${column} AS "${name}"`).join(', '),
    nulls: parts.map(({ name }) => `NULL AS "${name}"`).join(', '),
    read(raw) {
      const row: Record<string, unknown> = { ...empty }
      for (const { name, kind } of parts) row[name] = fromParam(kind, raw[name] ?? null)
      return row as Row
    },
  }
}

function fromParam(kind: Kind, value: Param): unknown {
  if (kind === 'boolean') return value === 1
  if ((kind === 'json' || kind === 'json-text') && value !== null) return JSON.parse(value as string)
  return value
}
