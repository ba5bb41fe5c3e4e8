// Lists the tables that have rows of an environment, and reads and removes their rows in slices.

import { knownTables } from '../migrate.ts'
import { type PortableTable, portableTables } from '../portable/portable-tables.ts'
import { type RowsStatement, type Sql, withRows } from './sql.ts'

export type SliceRow = Record<string, string | number | null>

/** What would still send comes first. */
const FIRST = ['mail', 'run_wait', 'job']
/** Runs and messages that were made meanwhile need theirs. */
const LAST = ['campaign_version', 'campaign']
/** Its row says that the erasure is under way. */
const OWN = 'environment_erasure'

/** The tables whose key begins with the environment, in the order in which their rows are removed. */
export const ENVIRONMENT_PARTS: readonly PortableTable[] = portableTables(knownTables())
  .filter(({ name, key }) => key[0] === 'environment_id' && name !== OWN)
  .sort((a, b) => placeOf(a) - placeOf(b))

function placeOf({ name }: PortableTable): number {
  if (FIRST.includes(name)) return FIRST.indexOf(name) - FIRST.length
  return LAST.indexOf(name) + 1
}

/** @returns The keys of the first rows of an environment, and of users their ids. */
export function readSlice(
  sql: Sql,
  { name, key }: PortableTable,
  environmentId: number,
  limit: number,
): Promise<SliceRow[]> {
  const columns = name === 'app_user' ? [...key, 'user_id'] : key
  const text = `SELECT ${columns.join(', ')} FROM ${name} WHERE environment_id = ? LIMIT ?`
  return sql.all<SliceRow>(text, [environmentId, limit])
}

/** Removes rows of one slice, locked in the order of their keys as other writers lock them. */
export async function removeRows(sql: Sql, table: PortableTable, rows: readonly SliceRow[]): Promise<void> {
  const { lock, remove } = statementsOf(table)
  const keys = rows.map((row) => table.key.map((column) => row[column] ?? null))
  if (sql.forUpdate !== '') await sql.bulk(lock, keys)
  await sql.bulk(remove, keys)
}

/** Each statement once, because the engines keep what they have prepared. */
const statements = new Map<string, { lock: RowsStatement; remove: RowsStatement }>()

function statementsOf({ name, key, columns }: PortableTable) {
  const known = statements.get(name)
  if (known !== undefined) return known
  const given = Object.fromEntries(key.map((column) => [column, columns[column] ?? 'int']))
  const same = key.map((column) => `t.${column} = given.${column}`).join(' AND ')
  const order = key.map((column) => `t.${column}`).join(', ')
  const list = key.join(', ')
  const made = {
    lock: withRows(
      given,
      `SELECT ${order} FROM given CROSS JOIN ${name} t WHERE ${same} ORDER BY ${order} FOR UPDATE OF t`,
    ),
    remove: withRows(given, `DELETE FROM ${name} WHERE (${list}) IN (SELECT ${list} FROM given)`),
  }
  statements.set(name, made)
  return made
}
