// Reads all rows of an environment page by page along the keys of its tables.

import { formatId } from '../../../lib/id.ts'
import type { Param, Sql } from '../../sql/sql.ts'
import type { Row } from '../export-format.ts'
import { readPage } from '../page-rows.ts'
import type { MovedTable } from './environment-tables.ts'

/** What an environment and its organisation are called in rows. */
export interface Owners {
  environmentId: number
  organisationId: number
  /** Numbers under which idempotency keys are stored: the environment's, and negative ones of its sources. */
  spaces: readonly number[]
  /** Keys that end at or before this time (epoch ms) are left out. */
  keysAfter: number
}

export async function readSpaces(sql: Sql, environmentId: number): Promise<number[]> {
  const sources = await sql.all<{ id: number }>('SELECT id FROM source WHERE environment_id = ? ORDER BY id', [
    environmentId,
  ])
  return [environmentId, ...sources.map(({ id }) => -id)]
}

/** @returns The environments and organisations whose rows of a table are those of the environment. */
export function ownersOf({ name, owner }: MovedTable, { environmentId, organisationId, spaces }: Owners): number[] {
  if (name === 'organisation' || owner.column === 'organisation_id') return [organisationId]
  return name === 'idempotency' ? [...spaces] : [environmentId]
}

/** Yields the rows of a table in pages of lists of values, in the order of its columns. */
export async function* listRows(sql: Sql, table: MovedTable, owners: Owners): AsyncGenerator<Row[]> {
  const columns = Object.keys(table.columns)
  const key = table.key.filter((column) => column !== table.owner.column)
  const only = table.name === 'idempotency' ? ' AND expires_at > ?' : ''
  const from = `FROM ${table.name} WHERE ${table.owner.column} = ?${only}`
  const order = key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`
  const after = key.length === 0 ? '' : ` AND (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  for (const owner of ownersOf(table, owners)) {
    const fixed: Param[] = only === '' ? [owner] : [owner, owners.keysAfter]
    let page = await readPage(sql, table.columns, `${from}${order}`, fixed)
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield page.map((row) => columns.map((column) => row[column] ?? null))
      // An owner has one row.
      if (key.length === 0) break
      const place = key.map((column) => last?.[column] ?? null)
      page = await readPage(sql, table.columns, `${from}${after}${order}`, [...fixed, ...place])
    }
  }
}

export const nameOfEnvironment = (environmentId: number): string => formatId('environment', environmentId)
