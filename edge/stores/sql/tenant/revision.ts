// Protects rows that several processes may change at once: a change is saved against the revision that was read, or
// decided after a lock taken before the read. Otherwise nodes and command lines would overwrite each other.

import type { Param } from '../sql.ts'
import type { WriteContext } from '../write.ts'

/** Columns by name. */
type Values = Record<string, Param>

/**
 * Writes columns of the row that `where` names with the revision that was read, and raises the revision.
 * @returns False when the row was changed meanwhile or does not exist.
 */
export async function saveRevised(
  { sql }: WriteContext,
  table: 'campaign' | 'environment' | 'notification_config' | 'organisation',
  where: Values & { revision: number },
  columns: Values,
): Promise<boolean> {
  const given = (values: Values) => Object.keys(values).map((name) => `${name} = ?`)
  const text = `UPDATE ${table} SET ${given(columns).join(', ')}, revision = revision + 1 WHERE ${given(where).join(' AND ')}`
  return (await sql.run(text, [...Object.values(columns), ...Object.values(where)])) > 0
}

/** Locks the row of an owner until the transaction ends, so that rows of the owner read after it stay the same. */
export async function lockOwner({ sql }: WriteContext, table: 'environment' | 'organisation', id: number) {
  if (sql.forUpdate !== '') await sql.one(`SELECT id FROM ${table} WHERE id = ?${sql.forUpdate}`, [id])
}
