// The erasure of a user: gone at once for everyone who asks, then removed in small steps that a crash can interrupt (contract section 3).

import { DELIVERY_EVENT_TYPES, type DeliveryEventType, type FunnelStepName } from '../../../contract/delivery.ts'
import { createTally } from './commit/counters.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext } from './write.ts'

const STEP_ROWS = 500

/** Which counter a delivery event stands in. */
export const STEP_OF: Record<DeliveryEventType, FunnelStepName> = {
  send: 'delivery',
  read: 'read',
  opened: 'opened',
  clicked: 'clicked',
}

/**
 * Takes the user out of the environment: the same id is a new user from here on, with a number of its own. Sessions end;
 * their rows stay, without the user's id, until their tokens expire. Null when there is no such user.
 */
export async function beginErasure(
  context: WriteContext,
  environmentId: number,
  userId: string,
  now: number,
): Promise<number | null> {
  const { sql } = context
  const row = await sql.one<{ user_no: number }>(
    'DELETE FROM app_user WHERE environment_id = ? AND user_id = ? RETURNING user_no',
    [environmentId, userId],
  )
  if (row === undefined) return null
  const userNo = row.user_no
  context.users.forget(environmentId, userId)
  await sql.run('INSERT INTO erasure (user_no, environment_id, user_id, begun_at) VALUES (?, ?, ?, ?)', [
    userNo,
    environmentId,
    userId,
    now,
  ])
  await sql.run(`UPDATE session SET ended_at = COALESCE(ended_at, ?), user_id = '' WHERE user_no = ?`, [now, userNo])
  await sql.run('DELETE FROM topic_subscriber WHERE user_no = ?', [userNo])
  return userNo
}

export async function listErasures(sql: Sql): Promise<number[]> {
  return (await sql.all<{ user_no: number }>('SELECT user_no FROM erasure ORDER BY user_no')).map((row) => row.user_no)
}

/** Removes a bounded part of what is left; false when nothing is. */
export async function eraseStep(context: WriteContext, userNo: number): Promise<boolean> {
  const { sql } = context
  if ((await purgeMessages(context, userNo)) > 0) return true
  const changes = await sql.run(
    'DELETE FROM inbox_change WHERE user_no = ? AND seq IN (SELECT seq FROM inbox_change WHERE user_no = ? LIMIT ?)',
    [userNo, userNo, STEP_ROWS],
  )
  if (changes > 0) return true
  const runs = await sql.run(
    'DELETE FROM run WHERE id IN (SELECT id FROM run WHERE user_no = ? AND has_message = 0 LIMIT ?)',
    [userNo, STEP_ROWS],
  )
  if (runs > 0) return true
  if (await eraseEvents(sql, userNo)) return true
  await sql.run('DELETE FROM inbox_head WHERE user_no = ?', [userNo])
  await sql.run('DELETE FROM erasure WHERE user_no = ?', [userNo])
  return false
}

/** Events that were for this user alone and came before the erasure began. */
async function eraseEvents(sql: Sql, userNo: number): Promise<boolean> {
  const removed = await sql.run(
    `DELETE FROM tracked_event WHERE id IN (SELECT e.id FROM erasure x CROSS JOIN tracked_event e
      WHERE x.user_no = ? AND e.environment_id = x.environment_id AND e.user_id = x.user_id AND e.received_at <= x.begun_at LIMIT ?)`,
    [userNo, STEP_ROWS],
  )
  return removed > 0
}

interface PurgedRow {
  id: number
  run_id: number
  campaign_id: number
  channel: string
  version: number
  branch: string | null
  is_test: number
  delivered_at: number | null
}

const PURGED_EVENTS = withRows(
  { id: 'int' },
  `DELETE FROM delivery_event WHERE message_id IN (SELECT id FROM given) RETURNING message_id, event_type, automated`,
)
/** The runs that made them; a run of several messages goes with the first. */
const PURGE_RUNS = withRows({ id: 'int' }, 'DELETE FROM run WHERE id IN (SELECT id FROM given)')
const PURGE_MESSAGES = withRows({ id: 'int' }, 'DELETE FROM message WHERE id IN (SELECT id FROM given)')

/** Removes messages with their delivery events; what they had counted goes to the ledger, so that the counters still prove right. */
async function purgeMessages(context: WriteContext, userNo: number): Promise<number> {
  const { sql } = context
  const messages = await sql.all<PurgedRow>(
    'SELECT id, run_id, campaign_id, channel, version, branch, is_test, delivered_at FROM message WHERE user_no = ? LIMIT ?',
    [userNo, STEP_ROWS],
  )
  const ids = messages.map((message) => [message.id])
  const events = await sql.bulk<{ message_id: number; event_type: DeliveryEventType; automated: number }>(
    PURGED_EVENTS,
    ids,
  )
  const byId = new Map(messages.map((message) => [message.id, message]))
  const tally = createTally()
  for (const event of events) {
    const message = byId.get(event.message_id)
    if (message === undefined || message.is_test === 1 || message.delivered_at === null || event.automated === 1)
      continue
    if (!DELIVERY_EVENT_TYPES.includes(event.event_type)) continue
    const { campaign_id: campaignId, channel, version, branch, delivered_at: deliveredAt } = message
    tally.count({ campaignId, channel, version, branch }, deliveredAt, STEP_OF[event.event_type])
  }
  await tally.writePurged(context)
  await sql.bulk(
    PURGE_RUNS,
    messages.map((message) => [message.run_id]),
  )
  await sql.bulk(PURGE_MESSAGES, ids)
  return messages.length
}
