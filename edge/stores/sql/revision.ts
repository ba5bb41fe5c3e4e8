// Prevents lost updates by several processes: a change is saved at the revision it has read, or reads under a lock.

import type { Param } from './sql.ts'
import type { WriteContext } from './write.ts'

/** Columns by name. */
type Values = Record<string, Param>

/**
 * Writes columns of the row that `where` selects at the revision that was read, and raises the revision.
 * @returns False when the row was changed meanwhile or does not exist.
 */
export async function saveRevised(
  { sql }: WriteContext,
  table: 'campaign' | 'environment' | 'mail_integration' | 'notification_config' | 'organisation' | 'source',
  where: Values & { revision: number },
  columns: Values,
): Promise<boolean> {
  const assignments = (values: Values) => Object.keys(values).map((name) => `${name} = ?`)
  const text = `UPDATE ${table} SET ${assignments(columns).join(', ')}, revision = revision + 1 WHERE ${assignments(where).join(' AND ')}`
  return (await sql.run(text, [...Object.values(columns), ...Object.values(where)])) > 0
}

/** Locks the row of an owner until the transaction ends, so that later reads of its rows stay valid. */
export async function lockOwner({ sql }: WriteContext, table: 'environment' | 'organisation', id: number) {
  if (sql.forUpdate !== '') await sql.one(`SELECT id FROM ${table} WHERE id = ?${sql.forUpdate}`, [id])
}
