// Erases users: hides a user at once, then removes all rows in small steps that a crash may interrupt.

import type { InboxOwner } from '../../domain/message.ts'
import { INBOX_ITEM, MESSAGE, MESSAGE_OF_ITEM } from '../tables/message.ts'
import { insertOne, type RawRow, view, viewBoth } from '../tables/table.ts'
import { ERASURE } from '../tables/user.ts'
import { eraseAgainJobs } from './again-job.ts'
import { isOpen } from './closed.ts'
import { eraseRecipient } from './commit/event-recipient.ts'
import { lockHeads } from './commit/working-rows.ts'
import { COUNTED_RUN, toCountedRun, writePurgedRuns } from './counted-runs.ts'
import { eraseBodies } from './delivery-body.ts'
import { eraseDoubts } from './doubt.ts'
import { purgeMessages } from './purge-messages.ts'
import { eraseWindows, purgeRunRows } from './purge-runs.ts'
import { eraseSendRules } from './send-rules.ts'
import type { Sql } from './sql.ts'
import { eraseFromAudit } from './user-audit.ts'
import type { WriteContext } from './write.ts'

const STEP_ROWS = 500
/** A smaller limit, because each of these rows may contain a list of a thousand users. */
const STEP_LISTS = 20

const BEGIN = insertOne(ERASURE)

/**
 * Starts the erasure: after it, the same id is a new user with a new number. Sessions end; their rows stay without the
 * user id until their tokens expire.
 * @returns The number of the erased user; null when there is no such user.
 */
export async function beginErasure(
  context: WriteContext,
  environmentId: number,
  userId: string,
  now: number,
): Promise<number | null> {
  const { sql } = context
  const row = await sql.one<{ user_no: number }>(
    'SELECT user_no FROM app_user WHERE environment_id = ? AND user_id = ?',
    [environmentId, userId],
  )
  if (row === undefined) return null
  const userNo = row.user_no
  // Locks in the order of commits: waits, user, inbox.
  await lockWaits(sql, userNo)
  // No row is left when another node has erased the user meanwhile.
  const deleted = await sql.run('DELETE FROM app_user WHERE environment_id = ? AND user_no = ?', [
    environmentId,
    userNo,
  ])
  if (deleted === 0) return null
  context.users.forget(environmentId, userId)
  // Waits for a concurrent write to this inbox, so that its rows are erased too. Later writers read `erasures` and
  // refuse the number.
  await lockHeads(sql, [{ environmentId, userNo }])
  await raiseErasures(context)
  await BEGIN(sql, { environmentId, userNo, userId, begunAt: now })
  await sql.run(`UPDATE session SET ended_at = COALESCE(ended_at, ?), user_id = '' WHERE user_no = ?`, [now, userNo])
  await sql.run('DELETE FROM topic_subscriber WHERE user_no = ?', [userNo])
  await sql.run('DELETE FROM external_id WHERE user_no = ?', [userNo])
  // All of them in this transaction: a continued run would create the user again.
  await eraseWaits(sql, userNo)
  await eraseSendRules(sql, environmentId, userId, userNo)
  await eraseAgainJobs(sql, environmentId, userId)
  await eraseFromAudit(context, environmentId, userId)
  return userNo
}

/** Makes the other nodes drop their cached users. Locks rows in one order, because two nodes may erase at once. */
export async function raiseErasures({ sql, slot }: WriteContext): Promise<void> {
  if (sql.forUpdate !== '') {
    await sql.all(`SELECT number FROM nodes WHERE number <> ? ORDER BY number${sql.forUpdate}`, [slot])
  }
  await sql.run('UPDATE nodes SET erasures = erasures + 1 WHERE number <> ?', [slot])
}

/** @returns The users whose erasure began before `begunBefore` (epoch ms) and is unfinished. */
export async function listErasures(sql: Sql, begunBefore: number): Promise<InboxOwner[]> {
  const text = `SELECT environment_id, user_no FROM erasure WHERE begun_at < ? AND ${isOpen('environment_id')} ORDER BY user_no`
  return (await sql.all<OwnerRow>(text, [begunBefore])).map(toOwner)
}

/** @returns The users with this id whose erasure is unfinished. */
export async function listErasuresOf(sql: Sql, environmentId: number, userId: string): Promise<InboxOwner[]> {
  const text = 'SELECT environment_id, user_no FROM erasure WHERE environment_id = ? AND user_id = ? ORDER BY user_no'
  return (await sql.all<OwnerRow>(text, [environmentId, userId])).map(toOwner)
}

interface OwnerRow {
  environment_id: number
  user_no: number
}
const toOwner = (row: OwnerRow): InboxOwner => ({ environmentId: row.environment_id, userNo: row.user_no })

/**
 * Removes a bounded number of the remaining rows.
 * @returns False when nothing is left.
 */
export async function eraseStep(context: WriteContext, environmentId: number, userNo: number): Promise<boolean> {
  const { sql } = context
  await lockWaits(sql, userNo)
  if ((await eraseWaits(sql, userNo)) > 0) return true
  // A concurrent delivery report waits for this step, or this step waits for it and removes its rows too.
  await lockHeads(sql, [{ environmentId, userNo }])
  if ((await eraseMessages(context, userNo)) > 0) return true
  const changes = await sql.run(
    `DELETE FROM inbox_change WHERE environment_id = ? AND user_no = ?
      AND seq IN (SELECT seq FROM inbox_change WHERE environment_id = ? AND user_no = ? LIMIT ?)`,
    [environmentId, userNo, environmentId, userNo, STEP_ROWS],
  )
  if (changes > 0) return true
  if (await eraseRuns(context, userNo)) return true
  if ((await eraseWindows(sql, environmentId, userNo, STEP_ROWS)) > 0) return true
  if (await eraseEvents(sql, environmentId, userNo)) return true
  if ((await eraseRecipient(sql, environmentId, userNo, STEP_LISTS)) > 0) return true
  if ((await eraseBodies(sql, environmentId, userNo, STEP_ROWS)) > 0) return true
  await eraseDoubts(sql, environmentId, userNo)
  await sql.run('DELETE FROM inbox_head WHERE environment_id = ? AND user_no = ?', [environmentId, userNo])
  await sql.run('DELETE FROM erasure WHERE environment_id = ? AND user_no = ?', [environmentId, userNo])
  return false
}

async function eraseRuns(context: WriteContext, userNo: number): Promise<boolean> {
  const { sql } = context
  const rows = await sql.all<RawRow>(
    `DELETE FROM run WHERE (environment_id, id) IN (SELECT environment_id, id FROM run WHERE user_no = ? AND has_message = 0 LIMIT ?)
      RETURNING ${COUNTED_RUN}`,
    [userNo, STEP_ROWS],
  )
  const removed = rows.map(toCountedRun)
  await writePurgedRuns(context, removed)
  await purgeRunRows(
    sql,
    removed.map((run) => [run.environmentId, run.id]),
  )
  return removed.length > 0
}

/** Locks the waits of the user in the order of commits. */
async function lockWaits(sql: Sql, userNo: number): Promise<void> {
  if (sql.forUpdate === '') return
  await sql.all(`SELECT run_id FROM run_wait WHERE user_no = ? ORDER BY run_id${sql.forUpdate}`, [userNo])
}

async function eraseWaits(sql: Sql, userNo: number): Promise<number> {
  await sql.run(
    `DELETE FROM run_arrival WHERE (environment_id, run_id) IN (SELECT environment_id, run_id FROM run_wait WHERE user_no = ?)`,
    [userNo],
  )
  return sql.run('DELETE FROM run_wait WHERE user_no = ?', [userNo])
}

/** Removes events from before the erasure whose only recipient is this user. */
async function eraseEvents(sql: Sql, environmentId: number, userNo: number): Promise<boolean> {
  const removed = await sql.run(
    `DELETE FROM tracked_event WHERE (environment_id, id) IN (SELECT e.environment_id, e.id FROM erasure x CROSS JOIN tracked_event e
      WHERE x.environment_id = ? AND x.user_no = ? AND e.environment_id = x.environment_id AND e.user_id = x.user_id
        AND e.received_at <= x.begun_at LIMIT ?)`,
    [environmentId, userNo, STEP_ROWS],
  )
  return removed > 0
}

const PURGED = viewBoth(
  view(MESSAGE, 'm', ['environmentId', 'id', 'runId', 'campaignId', 'version', 'branch', 'stepId', 'createdAt']),
  view(INBOX_ITEM, 'i', ['channel', 'isTest', 'status', 'statusReason', 'deliveredAt']),
)

async function eraseMessages(context: WriteContext, userNo: number): Promise<number> {
  const text = `SELECT ${PURGED.columns} FROM inbox_item i CROSS JOIN message m WHERE i.user_no = ? AND ${MESSAGE_OF_ITEM} LIMIT ?`
  const rows = await context.sql.all<RawRow>(text, [userNo, STEP_ROWS])
  await purgeMessages(context, rows.map(PURGED.read))
  return rows.length
}
