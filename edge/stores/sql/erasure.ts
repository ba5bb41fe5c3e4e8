// The erasure of a user: gone at once for everyone who asks, then removed in small steps that a crash can interrupt (contract section 3).

import { forgetRecipient } from './commit/event-recipient.ts'
import { purgeMessages } from './purge/purge-messages.ts'
import { forgetWindows, purgeDigests } from './purge/purge-runs.ts'
import { eraseSendRules } from './sending/send-rules.ts'
import type { Sql } from './sql.ts'
import type { WriteContext } from './write.ts'

const STEP_ROWS = 500
/** Each of them may have a list of a thousand to write anew. */
const STEP_LISTS = 20

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
  // Who writes to this inbox now is waited for, and goes with it; who comes later knows by `erasures` that the number is dead.
  await sql.one(`SELECT user_no FROM inbox_head WHERE user_no = ?${sql.forUpdate}`, [userNo])
  await sql.run('UPDATE nodes SET erasures = erasures + 1 WHERE number <> ?', [context.slot])
  await sql.run('INSERT INTO erasure (user_no, environment_id, user_id, begun_at) VALUES (?, ?, ?, ?)', [
    userNo,
    environmentId,
    userId,
    now,
  ])
  await sql.run(`UPDATE session SET ended_at = COALESCE(ended_at, ?), user_id = '' WHERE user_no = ?`, [now, userNo])
  await sql.run('DELETE FROM topic_subscriber WHERE user_no = ?', [userNo])
  // At once, however many: a run that went on would bring the user back.
  await eraseWaits(sql, userNo)
  await eraseSendRules(sql, environmentId, userId, userNo)
  return userNo
}

/** The numbers of users whose erasure is under way, or was cut off. */
export async function listErasures(sql: Sql, begunBefore: number): Promise<number[]> {
  const text = 'SELECT user_no FROM erasure WHERE begun_at < ? ORDER BY user_no'
  return (await sql.all<{ user_no: number }>(text, [begunBefore])).map((row) => row.user_no)
}

/** Those of whom had this id. */
export async function listErasuresOf(sql: Sql, environmentId: number, userId: string): Promise<number[]> {
  const text = 'SELECT user_no FROM erasure WHERE environment_id = ? AND user_id = ? ORDER BY user_no'
  return (await sql.all<{ user_no: number }>(text, [environmentId, userId])).map((row) => row.user_no)
}

/** Removes a bounded part of what is left; false when nothing is. */
export async function eraseStep(context: WriteContext, userNo: number): Promise<boolean> {
  const { sql } = context
  if ((await eraseWaits(sql, userNo)) > 0) return true
  if ((await eraseMessages(context, userNo)) > 0) return true
  const changes = await sql.run(
    'DELETE FROM inbox_change WHERE user_no = ? AND seq IN (SELECT seq FROM inbox_change WHERE user_no = ? LIMIT ?)',
    [userNo, userNo, STEP_ROWS],
  )
  if (changes > 0) return true
  if (await eraseRuns(sql, userNo)) return true
  if ((await forgetWindows(sql, userNo, STEP_ROWS)) > 0) return true
  if (await eraseEvents(sql, userNo)) return true
  if ((await forgetRecipient(sql, userNo, STEP_LISTS)) > 0) return true
  await sql.run('DELETE FROM inbox_head WHERE user_no = ?', [userNo])
  await sql.run('DELETE FROM erasure WHERE user_no = ?', [userNo])
  return false
}

async function eraseRuns(sql: Sql, userNo: number): Promise<boolean> {
  const removed = await sql.all<{ id: number }>(
    'DELETE FROM run WHERE id IN (SELECT id FROM run WHERE user_no = ? AND has_message = 0 LIMIT ?) RETURNING id',
    [userNo, STEP_ROWS],
  )
  await purgeDigests(
    sql,
    removed.map((run) => run.id),
  )
  return removed.length > 0
}

async function eraseWaits(sql: Sql, userNo: number): Promise<number> {
  await sql.run('DELETE FROM run_arrival WHERE run_id IN (SELECT run_id FROM run_wait WHERE user_no = ?)', [userNo])
  return sql.run('DELETE FROM run_wait WHERE user_no = ?', [userNo])
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

interface MessageRow {
  id: number
  run_id: number
  campaign_id: number
  channel: string
  version: number
  branch: string | null
  is_test: number
  delivered_at: number | null
}

async function eraseMessages(context: WriteContext, userNo: number): Promise<number> {
  const rows = await context.sql.all<MessageRow>(
    'SELECT id, run_id, campaign_id, channel, version, branch, is_test, delivered_at FROM message WHERE user_no = ? LIMIT ?',
    [userNo, STEP_ROWS],
  )
  await purgeMessages(
    context,
    rows.map(({ run_id: runId, campaign_id: campaignId, is_test, delivered_at: deliveredAt, ...row }) => {
      return { ...row, runId, campaignId, isTest: is_test === 1, deliveredAt }
    }),
  )
  return rows.length
}
