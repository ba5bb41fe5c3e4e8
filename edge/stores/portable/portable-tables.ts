// Reads the exported tables and columns from the migrations, so that a new table cannot be missing.

import { MIGRATIONS } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Columns, ColumnType } from '../sql/sql.ts'

export interface PortableTable {
  name: string
  columns: Columns
  /** A unique key in the order of an index: rows are read along it. */
  key: string[]
  /** The column whose numbers the store generates and never reuses. */
  identity: string | null
}

/** Tables that are not exported, with the reason. */
export const NOT_EXPORTED: Record<string, string> = {
  notice: 'Notices for servers that run on the store now; later servers read the current state.',
  nodes: 'Leases of servers that run on the store now.',
  sign_in_challenge: 'Sign-ins to the dashboard that are in progress; they last minutes.',
}

/** Rows of `meta` that belong to one installation: its server and its master keys, and the mark of an import. */
export const META_NOT_EXPORTED = ['master_keys', 'server', 'import']

/**
 * @returns The tables of a store at a version, in creation order.
 * @throws Error when a migration has a statement that this parser cannot read.
 */
export function portableTables(version: number, migrations: readonly Migration[] = MIGRATIONS): PortableTable[] {
  const tables = new Map<string, PortableTable>()
  for (const { number, statements } of migrations) {
    if (number > version) continue
    for (const statement of statements) readStatement(tables, statement)
  }
  return [...tables.values()].filter(({ name }) => NOT_EXPORTED[name] === undefined)
}

const CREATE = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+) \((.*)\)(?: CLUSTERED)?(?: WITH ROOM)?$/s
const ADD_COLUMN = /^ALTER TABLE (\w+) ADD COLUMN (.*)$/s
const NO_TABLE = /^(CREATE (UNIQUE )?INDEX|DROP INDEX|INSERT|UPDATE|DELETE)\b/
const TYPES: Record<string, ColumnType> = { INTEGER: 'int', IDENTITY: 'int', TEXT: 'text' }

function readStatement(tables: Map<string, PortableTable>, statement: string): void {
  const text = statement.trim()
  const [, created, body] = CREATE.exec(text) ?? []
  if (created !== undefined && body !== undefined) {
    tables.set(created, readTable(created, body))
    return
  }
  const [, altered, column] = ADD_COLUMN.exec(text) ?? []
  const table = tables.get(altered ?? '')
  if (table !== undefined && column !== undefined) {
    const { name, type } = readColumn(column)
    table.columns[name] = type
    return
  }
  if (!NO_TABLE.test(text)) throw new Error(`migration statement unknown to the export: ${text.slice(0, 80)}`)
}

function readTable(name: string, body: string): PortableTable {
  const table: PortableTable = { name, columns: {}, key: [], identity: null }
  for (const part of splitTop(body)) {
    const [, keys] = /^PRIMARY KEY \((.*)\)$/.exec(part) ?? []
    if (keys !== undefined) {
      table.key = keys.split(',').map((key) => key.trim())
      continue
    }
    const column = readColumn(part)
    table.columns[column.name] = column.type
    if (column.isKey) table.key = [column.name]
    if (column.isIdentity) table.identity = column.name
  }
  if (table.key.length === 0) throw new Error(`table without a primary key: ${name}`)
  return table
}

function readColumn(text: string) {
  const [name = '', typeName = ''] = text.trim().split(/\s+/)
  const type = TYPES[typeName]
  if (type === undefined) throw new Error(`column type unknown to the export: ${text}`)
  const isIdentity = typeName === 'IDENTITY'
  return { name, type, isIdentity, isKey: isIdentity || /\bPRIMARY KEY\b/.test(text) }
}

/** Splits at the commas outside of parentheses. */
function splitTop(text: string): string[] {
  const parts: string[] = []
  let [depth, start] = [0, 0]
  for (let index = 0; index <= text.length; index++) {
    const char = text[index]
    if (char === '(') depth++
    else if (char === ')') depth--
    if (index < text.length && (char !== ',' || depth > 0)) continue
    parts.push(text.slice(start, index).trim())
    start = index + 1
  }
  return parts
}
