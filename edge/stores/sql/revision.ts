// Prevents lost updates by several processes: a change is saved at the revision it has read, or reads under a lock.

import { type Column, type ColumnSet, columnName, type Table, valuesOf, type Written } from '../tables/table.ts'
import type { WriteContext } from './write.ts'

type RevisedColumns = ColumnSet & { revision: Column<number, number> }
type Field<C> = Exclude<keyof C & string, 'revision'>

/**
 * Writes fields of the row that the key selects at the revision that was read, and raises the revision.
 * @returns False when the row was changed meanwhile or does not exist.
 */
export async function saveRevised<C extends RevisedColumns, K extends Field<C>, F extends Field<C>>(
  { sql }: Pick<WriteContext, 'sql'>,
  of: Table<C>,
  key: readonly K[],
  fields: readonly F[],
  row: Pick<Written<C>, K | F | 'revision'>,
): Promise<boolean> {
  const { toParams } = valuesOf<C, K | F | 'revision'>(of, [...fields, ...key, 'revision'])
  const assignments = (some: readonly (keyof C & string)[]) => some.map((field) => `${columnName(of, field)} = ?`)
  const text = `UPDATE ${of.name} SET ${assignments(fields).join(', ')}, revision = revision + 1 WHERE ${assignments([...key, 'revision']).join(' AND ')}`
  return (await sql.run(text, toParams(row))) > 0
}

/** Locks the row of an owner until the transaction ends, so that later reads of its rows stay valid. */
export async function lockOwner({ sql }: WriteContext, table: 'environment' | 'organisation', id: number) {
  if (sql.forUpdate !== '') await sql.one(`SELECT id FROM ${table} WHERE id = ?${sql.forUpdate}`, [id])
}
