// Makes mails due that wait for the end of quiet hours, when the hours or the time zone of their users have changed.

import { type Sql, withRows } from '../sql.ts'
import { QUIET_HOURS } from './change-mail.ts'

/** More mails of one change wait for the end that was known. */
const WOKEN_AT_ONCE = 5000
/** In one statement, whose parameters are limited. */
const PART = 1000

const LIST_WAITING = withRows(
  { user_no: 'int' },
  `SELECT i.environment_id, i.message_id AS id FROM given CROSS JOIN inbox_item i WHERE i.user_no = given.user_no AND i.channel = 'email'
    AND i.status IN ('queued', 'sending') AND i.status_reason = '${QUIET_HOURS}' ORDER BY i.message_id LIMIT ${WOKEN_AT_ONCE}`,
)

/** The sender asks the rules of these mails again: they are sent, or wait for another end. Claimed ones are left out. */
export async function wakeQuietMails(sql: Sql, userNos: number[], now: number): Promise<void> {
  if (userNos.length === 0) return
  const waiting = await sql.bulk<{ environment_id: number; id: number }>(
    LIST_WAITING,
    userNos.map((userNo) => [userNo]),
  )
  // The rows of a long list of users come in several answers, each with its own limit.
  const byEnvironment = new Map<number, number[]>()
  for (const { environment_id: environmentId, id } of waiting.slice(0, WOKEN_AT_ONCE)) {
    const ids = byEnvironment.get(environmentId) ?? []
    byEnvironment.set(environmentId, ids)
    ids.push(id)
  }
  for (const [environmentId, ids] of byEnvironment) {
    for (let from = 0; from < ids.length; from += PART) {
      await wake(sql, environmentId, ids.slice(from, from + PART), now)
    }
  }
}

async function wake(sql: Sql, environmentId: number, ids: number[], now: number): Promise<void> {
  await sql.run(
    `UPDATE mail SET due_at = ?, ready_at = ? WHERE environment_id = ? AND message_id IN (SELECT message_id FROM mail
      WHERE environment_id = ? AND message_id IN (${ids.map(() => '?').join(', ')}) AND due_at = ready_at AND due_at > ?
      ORDER BY message_id${sql.skipLocked})`,
    [now, now, environmentId, environmentId, ...ids, now],
  )
}
