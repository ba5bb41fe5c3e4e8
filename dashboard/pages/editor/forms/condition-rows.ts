// Edits conditions as rows: each a property, an operator in words and a value, which may be incomplete while it is written.

import {
  type Clause,
  type Clicks,
  COMPARISONS,
  LIST_TESTS,
  type Literal,
  MEMBER,
  mayAskPresence,
  PRESENCE,
  printClicks,
  printProperty,
  readClicks,
  readProperty,
  TEXT_TESTS,
} from '../../../editor/clicks.ts'
import type { KnownPath } from './form-context.ts'

export type Test = Clause['test']
/** The type of a value as people say it. */
export const KINDS = ['text', 'number', 'yes or no', 'nothing'] as const
export type Kind = (typeof KINDS)[number]

export interface Row {
  /** As it is typed: such as `event.properties.total`. */
  property: string
  test: Test
  kind: Kind
  /** One text a line for tests of a list. Undefined: nothing was given yet, which is not the empty text. */
  text: string | undefined
}

export interface Rows {
  join: Clicks['join']
  rows: readonly Row[]
}

export const TEST_WORDS: Readonly<Record<Test, string>> = {
  '==': 'is',
  '!=': 'is not',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  contains: 'contains',
  startsWith: 'begins with',
  endsWith: 'ends with',
  in: 'is one of',
  'not in': 'is none of',
  includes: 'includes',
  has: 'is there',
  'has not': 'is missing',
}

const SAME = ['==', '!='] as const
/** Operators by the type of the property, in the order in which they are offered. */
const TESTS: Readonly<Record<string, readonly Test[]>> = {
  string: [...SAME, ...TEXT_TESTS, ...LIST_TESTS],
  number: [...COMPARISONS, ...LIST_TESTS],
  boolean: SAME,
  array: [MEMBER],
  null: SAME,
}
const ALL_TESTS: readonly Test[] = [...COMPARISONS, ...TEXT_TESTS, ...LIST_TESTS, MEMBER]

export const isListTest = (test: Test): test is (typeof LIST_TESTS)[number] => LIST_TESTS.some((one) => one === test)
export const isPresence = (test: Test): test is (typeof PRESENCE)[number] => PRESENCE.some((one) => one === test)
const isTextTest = (test: Test): test is (typeof TEXT_TESTS)[number] => TEXT_TESTS.some((one) => one === test)

/** @returns the operators that fit a property, and always the row's own */
export function testsOf(row: Row, known: readonly KnownPath[]): Test[] {
  const types = typesOf(row.property, known)
  const fitting = types.length === 0 ? ALL_TESTS : types.flatMap((type) => TESTS[type] ?? [])
  const keys = readProperty(row.property)
  const presence = keys === undefined || mayAskPresence(keys) ? PRESENCE : []
  return [...new Set<Test>([...fitting, ...presence, row.test])]
}

/** @returns the types that values of a property had; none for an unknown one */
export function typesOf(property: string, known: readonly KnownPath[]): readonly string[] {
  const keys = readProperty(property)
  if (keys === undefined) return []
  const written = printProperty(keys)
  return (known.find(({ path }) => path === written)?.types ?? []).filter(
    (type) => type !== 'null' && type !== 'object',
  )
}

const KIND_OF: Readonly<Record<string, Kind>> = { string: 'text', number: 'number', boolean: 'yes or no' }

/** @returns the type that all values of a property had; undefined where a person must say it */
export function onlyKind(property: string, known: readonly KnownPath[]): Kind | undefined {
  const types = typesOf(property, known)
  return types.length === 1 ? KIND_OF[types[0] ?? ''] : undefined
}

export const emptyRow = (): Row => ({ property: '', test: '==', kind: 'text', text: undefined })

/** @returns the rows of a condition; undefined for one that clicks cannot say. No condition has no rows. */
export function readRows(source: string): Rows | undefined {
  if (source.trim() === '') return { join: 'all', rows: [] }
  const clicks = readClicks(source)
  const rows = clicks?.clauses.map(rowOf)
  if (clicks === undefined || rows === undefined) return undefined
  return rows.every((row): row is Row => row !== undefined) ? { join: clicks.join, rows } : undefined
}

/** @returns undefined for values that a field does not hold: texts of several lines, and lists of several types */
function rowOf(clause: Clause): Row | undefined {
  const property = printProperty(clause.property)
  const { test } = clause
  if (isPresence(test)) return { property, test, kind: 'text', text: undefined }
  const values = 'values' in clause ? clause.values : 'value' in clause ? [clause.value] : []
  const kinds = new Set(values.map(kindOf))
  const [kind] = kinds
  if (kind === undefined || kinds.size > 1 || values.some((value) => /[\r\n]/.test(String(value)))) return undefined
  if (isTextTest(test) && values[0] === '') return undefined
  if (isListTest(test) && values.some((value) => String(value).trim() !== String(value) || value === ''))
    return undefined
  return { property, test, kind, text: kind === 'nothing' ? undefined : values.map(String).join('\n') }
}

function kindOf(value: Literal): Kind {
  if (value === null) return 'nothing'
  return KIND_OF[typeof value] ?? 'text'
}

/** @returns the condition in CEL of the rows that are complete; empty for none */
export function printRows({ join, rows }: Rows): string {
  return printClicks({ join, clauses: rows.flatMap((row) => clauseOf(row) ?? []) })
}

/** @returns undefined for a row that is not complete */
export function clauseOf(row: Row): Clause | undefined {
  const property = readProperty(row.property)
  if (property === undefined) return undefined
  const { test, kind, text } = row
  if (isPresence(test)) return mayAskPresence(property) ? { property, test } : undefined
  if (isListTest(test)) {
    const lines = (text ?? '').split('\n').map((line) => line.trim())
    const values = lines.filter((line) => line !== '').map((line) => literalOf(kind, line))
    const given = values.filter((value) => value !== undefined)
    return given.length === 0 || given.length < values.length ? undefined : { property, test, values: given }
  }
  // A text operator has a text, whatever the values of its property were.
  if (isTextTest(test)) return text === undefined || text === '' ? undefined : { property, test, value: text }
  const value = literalOf(kind, text)
  return value === undefined ? undefined : { property, test, value }
}

function literalOf(kind: Kind, text: string | undefined): Literal | undefined {
  if (kind === 'nothing') return null
  if (kind === 'text' || text === undefined) return text
  if (kind === 'yes or no') return text === 'true' ? true : text === 'false' ? false : undefined
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

/** @returns the row with another property: operator and type of the value follow it where they do not fit */
export function withProperty(row: Row, property: string, known: readonly KnownPath[]): Row {
  const next = { ...row, property }
  const [first = '=='] = testsOf({ ...next, test: '==' }, known)
  const types = typesOf(property, known)
  const fits = types.length === 0 || types.some((type) => TESTS[type]?.includes(row.test)) || isPresence(row.test)
  const kind = onlyKind(property, known)
  const withTest = fits ? next : { ...next, test: types.includes('array') ? MEMBER : first }
  return kind === undefined ? withTest : withKind(withTest, kind)
}

const ORDERS: readonly Test[] = ['>', '>=', '<', '<=']

/** @returns the row with another operator; what is more or less is a number, as long as it was no other value */
export function withTest(row: Row, test: Test): Row {
  const isBegun = row.kind === 'text' && (row.text === undefined || literalOf('number', row.text) !== undefined)
  return ORDERS.includes(test) && isBegun ? withKind({ ...row, test }, 'number') : { ...row, test }
}

/** @returns the row with another type of its value, which begins as a value of that type */
export function withKind(row: Row, kind: Kind): Row {
  if (kind === row.kind) return row
  if (kind === 'yes or no') return { ...row, kind, text: row.text === 'false' ? 'false' : 'true' }
  const fits = kind === 'text' || (kind === 'number' && literalOf('number', row.text) !== undefined)
  return { ...row, kind, text: fits ? row.text : undefined }
}
