// Gives a store the members of a version before migration 23, and reads the people that the migration makes of them.

import { MIGRATIONS } from '../migrate.ts'
import type { Sql } from '../sql/sql.ts'

/** The migrations of that version. */
export const FORMER_MIGRATIONS = MIGRATIONS.filter(({ number }) => number < 23)

export async function addFormerMembers(sql: Sql): Promise<void> {
  const insert = (organisation: number, email: string, role: string) =>
    sql.run('INSERT INTO member VALUES (?, ?, ?, ?, ?, ?)', [organisation, email, 'Ada', role, 'scrypt$a$b', 7])
  await insert(1, 'Ada@example.com', 'owner')
  await insert(2, 'ada@example.com', 'viewer')
  await insert(2, 'bob@example.com', 'owner')
}

/** Returns e-mail address, organisation and role of each membership, and the number of former rows. */
export async function readMigrated(sql: Sql): Promise<unknown[]> {
  const members = await sql.all(
    `SELECT p.id, p.email, p.name, p.password_hash, m.organisation_id, m.role FROM person p JOIN membership m ON m.person_id = p.id
      ORDER BY p.id, m.organisation_id`,
  )
  return [...members, await sql.one('SELECT COUNT(*) AS former FROM member')]
}

const ADA = { id: 1, email: 'ada@example.com', name: 'Ada', password_hash: 'scrypt$a$b' }

export const MIGRATED_MEMBERS = [
  { ...ADA, organisation_id: 1, role: 'owner' },
  { ...ADA, organisation_id: 2, role: 'viewer' },
  { ...ADA, id: 2, email: 'bob@example.com', organisation_id: 2, role: 'owner' },
  { former: 0 },
]
