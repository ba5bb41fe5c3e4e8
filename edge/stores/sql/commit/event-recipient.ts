// Stores the recipients of events with several recipients, and deletes them with the event or with an erased user.

import { ERASED_USER_ID } from '../../../domain/tracked-event.ts'
import { insertRows, type Param, type Sql, withRows } from '../sql.ts'

const INSERT = insertRows(
  'event_recipient',
  { environment_id: 'int', user_id: 'text', event_id: 'int' },
  'ON CONFLICT DO NOTHING',
)
const DELETE = withRows(
  { environment_id: 'int', user_id: 'text', event_id: 'int' },
  'DELETE FROM event_recipient WHERE (environment_id, user_id, event_id) IN (SELECT environment_id, user_id, event_id FROM given)',
)
const UPDATE_LISTS = withRows(
  { environment_id: 'int', id: 'int', user_ids: 'text' },
  `UPDATE tracked_event SET user_ids = given.user_ids FROM given
    WHERE tracked_event.environment_id = given.environment_id AND tracked_event.id = given.id`,
)
const DELETE_EVENTS = withRows(
  { environment_id: 'int', id: 'int' },
  'DELETE FROM tracked_event WHERE (environment_id, id) IN (SELECT environment_id, id FROM given)',
)

/** The columns of an event that contain its recipients. */
export interface ListedRecipients {
  id: number
  environmentId: number
  /** JSON text of the list; null for a single recipient or a topic. */
  userIds: string | null
}

/** Inserts a row for each recipient of each event with several recipients. */
export async function writeRecipients(sql: Sql, events: readonly ListedRecipients[]): Promise<void> {
  const rows = events.flatMap(rowsOf)
  if (rows.length > 0) await sql.bulk(INSERT, rows)
}

/** Removes the recipients of events that are deleted. */
export async function removeRecipients(sql: Sql, events: readonly ListedRecipients[]): Promise<void> {
  const rows = events.flatMap(rowsOf)
  if (rows.length > 0) await sql.bulk(DELETE, rows)
}

/** @returns The number of recipient rows of an event. */
export function countRecipients({ userIds }: ListedRecipients): number {
  return userIds === null ? 0 : (JSON.parse(userIds) as string[]).length
}

function rowsOf({ id, environmentId, userIds }: ListedRecipients): Param[][] {
  if (userIds === null) return []
  const named = new Set(JSON.parse(userIds) as string[])
  named.delete(ERASED_USER_ID)
  return [...named].map((userId) => [environmentId, userId, id])
}

/**
 * Removes an erased user from the recipient lists of earlier events. A placeholder replaces the id, because a running
 * fan-out counts positions. An event without other recipients is deleted.
 * @returns The number of changed and deleted events.
 */
export async function eraseRecipient(sql: Sql, environmentId: number, userNo: number, limit: number): Promise<number> {
  const rows = await sql.all<{ id: number; environment_id: number; user_id: string; user_ids: string | null }>(
    `SELECT e.id, e.environment_id, x.user_id, e.user_ids FROM erasure x
      CROSS JOIN event_recipient r CROSS JOIN tracked_event e
      WHERE x.environment_id = ? AND x.user_no = ? AND r.environment_id = x.environment_id AND r.user_id = x.user_id
        AND e.environment_id = r.environment_id AND e.id = r.event_id AND e.received_at <= x.begun_at ORDER BY e.id LIMIT ?${sql.forUpdate}`,
    [environmentId, userNo, limit],
  )
  const lists = rows.map((row) => ({ ...row, left: without(row.user_ids, row.user_id) }))
  const isEmpty = ({ left }: { left: string[] }) => left.every((userId) => userId === ERASED_USER_ID)
  await sql.bulk(
    DELETE,
    rows.map((row) => [row.environment_id, row.user_id, row.id]),
  )
  await sql.bulk(
    DELETE_EVENTS,
    lists.filter(isEmpty).map((row) => [row.environment_id, row.id]),
  )
  await sql.bulk(
    UPDATE_LISTS,
    lists.filter((row) => !isEmpty(row)).map((row) => [row.environment_id, row.id, JSON.stringify(row.left)]),
  )
  return rows.length
}

function without(userIds: string | null, erased: string): string[] {
  const all = userIds === null ? [] : (JSON.parse(userIds) as string[])
  return all.map((userId) => (userId === erased ? ERASED_USER_ID : userId))
}
