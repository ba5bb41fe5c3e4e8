// Builds the conditions that leave closed environments out of background work.

import type { Sql } from './sql.ts'

const CLOSED = 'SELECT id FROM environment WHERE closed_at > 0'

/** @returns A condition, as SQL: whether the environment of a column is closed. */
export const isClosed = (column: string): string =>
  `EXISTS (SELECT 1 FROM environment closed WHERE closed.id = ${column} AND closed.closed_at IS NOT NULL)`

/** @returns A condition, as SQL: whether the environment of a column is open. Few environments are closed at a time. */
export const isOpen = (column: string): string => `${column} NOT IN (${CLOSED})`

/** @returns Whether any environment is closed. */
export async function hasClosed(sql: Sql): Promise<boolean> {
  return (await sql.one(`${CLOSED} LIMIT 1`)) !== undefined
}
