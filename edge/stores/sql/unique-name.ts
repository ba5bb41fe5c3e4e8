// Keeps names unique: of environments and notification configs in their organisation, of sources and mail integrations in their environment.

import { nameKeyOf } from '../../domain/tenant/parse-name.ts'
import { lockOwner } from './revision.ts'
import type { WriteContext } from './write.ts'

/** The table and the column of the owner, within which a name is unique. */
const OWNERS = {
  environment: { table: 'organisation', column: 'organisation_id' },
  notification_config: { table: 'organisation', column: 'organisation_id' },
  source: { table: 'environment', column: 'environment_id' },
  mail_integration: { table: 'environment', column: 'environment_id' },
} as const

/**
 * Locks the owner, so that of two writers of one name the second finds the first's row. A row that keeps its name is
 * not compared: doubles from before this rule can be changed.
 * @returns Whether another row of the owner has the name.
 */
export async function isNameTaken(
  context: WriteContext,
  table: keyof typeof OWNERS,
  { ownerId, id, name }: { ownerId: number; id: number; name: string },
): Promise<boolean> {
  const { sql } = context
  const key = nameKeyOf(name)
  const owner = OWNERS[table]
  const own = await sql.one<{ name: string }>(`SELECT name FROM ${table} WHERE ${owner.column} = ? AND id = ?`, [
    ownerId,
    id,
  ])
  if (own !== undefined && nameKeyOf(own.name) === key) return false
  await lockOwner(context, owner.table, ownerId)
  // Compared here, because the engines fold only letters of ASCII alike. An owner has few.
  const rows = await sql.all<{ id: number; name: string }>(`SELECT id, name FROM ${table} WHERE ${owner.column} = ?`, [
    ownerId,
  ])
  return rows.some((row) => row.id !== id && nameKeyOf(row.name) === key)
}
