// Removes the oldest messages of an environment by ranges of ids: a few statements for hundreds of messages.

import { REGISTERED_EVENT_TYPES } from '../../../contract/delivery.ts'
import { firstKeptHour, UNSENT_STATUSES } from '../../domain/delivery/step-counts.ts'
import type { PurgeStep } from '../../domain/organisation.ts'
import type { InboxPush } from '../../domain/plan.ts'
import { idFloorAt } from '../../lib/id.ts'
import { INBOX_ITEM, ITEM_OF_MESSAGE, MESSAGE } from '../tables/message.ts'
import { type RawRow, view, viewBoth } from '../tables/table.ts'
import { addPurged, type Counter, HOUR_MS } from './commit/counters.ts'
import { CUT_LOGS, epochOf, LOG_KEEPS } from './commit/inbox-work.ts'
import { SECTION } from './commit/list-section.ts'
import { createStepTally } from './commit/step-tally.ts'
import { COUNTED_RUN, countPurged, toCountedRun } from './counted-runs.ts'
import { COUNTED_EVENTS, COUNTER_GROUPS, COUNTER_KEY } from './funnel.ts'
import { sum } from './funnel-reads.ts'
import { ROWS_OF_RUNS } from './purge-runs.ts'
import type { Sql } from './sql.ts'
import type { WriteContext } from './write.ts'

/** A step takes about as long as a large batch of plans, which waits for it (docs/performance.md). */
const STEP_MESSAGES = 300

/** The messages of an environment from the first to the last id. */
type Range = [environmentId: number, first: number, last: number]

const inRange = (alias: string, id: string) => `${alias}environment_id = ? AND ${alias}${id} BETWEEN ? AND ?`
const ITEMS = inRange('i.', 'message_id')
const EVENTS = `e.environment_id = ? AND e.event_type IN (${REGISTERED_EVENT_TYPES.map((type) => `'${type}'`).join(', ')}) AND e.message_id BETWEEN ? AND ?`

/**
 * Removes at most `STEP_MESSAGES` messages older than `before`, with all that belongs to them.
 * @param gone Older messages are gone up to this id.
 * @returns With the id up to which they are gone now.
 */
export async function purgeOldMessages(
  context: WriteContext,
  environmentId: number,
  before: number,
  gone: number,
): Promise<PurgeStep & { last: number }> {
  const { sql } = context
  const range = await findRange(sql, environmentId, before, gone)
  if (range === undefined) return { rows: 0, pushes: [], last: gone }
  if (sql.forUpdate !== '') await sql.all(LOCK_HEADS, [...range, environmentId])
  const pushes = await removeFromInboxes(context, range)
  await addPurged(context, await sql.all<Counter>(COUNT_DELIVERIES, range))
  await addPurged(context, await sql.all<Counter>(COUNT_EVENTS, range))
  await sql.run(PURGE_EVENTS, range)
  // Renewals of claims lock mails in this order, too.
  if (sql.forUpdate !== '') await sql.all(LOCK_MAILS, range)
  await sql.run(purgeOf('mail', 'message_id'), range)
  await sql.run(purgeOf('kept_mail', 'message_id'), range)
  const steps = createStepTally(context.now)
  const removed = await sql.all<RawRow>(PURGE_RUNS, [...range, range[1], range[2]])
  countPurged(steps, removed.map(toCountedRun), context.now)
  for (const message of await sql.all<RawRow>(UNSENT, [...range, firstKeptHour(context.now) * HOUR_MS])) {
    const unsent = UNSENT_VIEW.read(message)
    steps.countReason(unsent, unsent.status, unsent.statusReason, 1)
  }
  await steps.writePurged(context)
  for (const purge of PURGE_RUN_ROWS) await sql.run(purge, range)
  await sql.run(purgeOf('inbox_item', 'message_id'), range)
  return { rows: await sql.run(purgeOf('message', 'id'), range), pushes, last: range[2] }
}

/** Ids rise with time: the oldest rows come first, and the range ends before the first that is too new. */
const FIND_RANGE = `SELECT MIN(id) AS first, MAX(id) AS last, MIN(CASE WHEN created_at >= ? THEN id END) AS young
  FROM (SELECT id, created_at FROM message WHERE environment_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?) AS oldest`

async function findRange(sql: Sql, environmentId: number, before: number, gone: number): Promise<Range | undefined> {
  const found = await sql.one<{ first: number | null; last: number; young: number | null }>(FIND_RANGE, [
    before,
    environmentId,
    gone,
    idFloorAt(before),
    STEP_MESSAGES,
  ])
  if (found === undefined || found.first === null || found.young === found.first) return undefined
  return [environmentId, found.first, found.young === null ? found.last : found.young - 1]
}

/**
 * Locks heads in the order of their users, in a statement of its own: the next ones then read what a report, or another
 * node's step, wrote while this one waited for it.
 */
const LOCK_HEADS = `SELECT h.user_no FROM (SELECT DISTINCT i.user_no FROM inbox_item i WHERE ${ITEMS}) AS owners
  CROSS JOIN inbox_head h WHERE h.environment_id = ? AND h.user_no = owners.user_no ORDER BY h.user_no FOR UPDATE OF h`

const larger = (one: string, other: string) => `CASE WHEN ${one} < ${other} THEN ${other} ELSE ${one} END`
const countIf = (condition: string) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
const UNOPENED = `i.section = ${SECTION.listed} AND i.unopened = 1`
const STANDS = 'i.seq > 0 AND i.removed_at IS NULL'
/**
 * Counts the removes, and raises the floor of the log to the newest of the messages: clients with an older position
 * would miss its `add`.
 */
const CHANGE_HEADS = `UPDATE inbox_head SET seq = seq + removes, unread = ${larger('unread - unread_gone', '0')},
    unopened = ${larger('unopened - unopened_gone', '0')}, floor = ${larger(larger('floor', 'newest'), `seq + removes - ${LOG_KEEPS}`)}
  FROM (SELECT i.user_no AS owner, ${countIf(STANDS)} AS removes, ${countIf(UNOPENED)} AS unopened_gone,
    ${countIf(`${UNOPENED} AND i.read_at IS NULL`)} AS unread_gone, MAX(i.seq) AS newest
    FROM inbox_item i WHERE ${ITEMS} AND i.seq > 0 GROUP BY i.user_no) AS gone
  WHERE environment_id = ? AND user_no = owner RETURNING user_no AS "userNo", seq, unread, unopened, floor`

/** Logs a `remove` of each message that still stands in an inbox, in the order of their ids. */
const LOG_REMOVES = `INSERT INTO inbox_change (environment_id, user_no, seq, message_id, patch)
  SELECT h.environment_id, h.user_no, h.seq + 1 - ROW_NUMBER() OVER (PARTITION BY h.user_no ORDER BY i.message_id DESC), i.message_id, NULL
    FROM inbox_item i CROSS JOIN inbox_head h
    WHERE ${ITEMS} AND ${STANDS} AND h.environment_id = i.environment_id AND h.user_no = i.user_no
  RETURNING user_no AS "userNo", seq, message_id AS "messageId"`

interface Head {
  userNo: number
  seq: number
  unread: number
  unopened: number
  floor: number
}

async function removeFromInboxes({ sql, storeEpoch }: WriteContext, range: Range): Promise<InboxPush[]> {
  const [environmentId] = range
  const heads = await sql.all<Head>(CHANGE_HEADS, [...range, environmentId])
  const removes = await sql.all<{ userNo: number; seq: number; messageId: number }>(LOG_REMOVES, range)
  await sql.bulk(
    CUT_LOGS,
    heads.map(({ userNo, floor }) => [environmentId, userNo, floor]),
  )
  const pushes = new Map<number, InboxPush>()
  for (const { userNo, floor: _, ...position } of heads) {
    const epoch = epochOf(storeEpoch, userNo)
    pushes.set(userNo, { userNo, epoch, from: position.seq, ...position, changes: [], reset: false })
  }
  for (const { userNo, seq, messageId } of removes.sort((one, other) => one.seq - other.seq)) {
    const push = pushes.get(userNo)
    push?.changes.push({ seq, op: 'remove', messageId })
    if (push !== undefined) push.from = push.seq - push.changes.length
  }
  return [...pushes.values()].filter(({ changes }) => changes.length > 0)
}

const IS_COUNTED = 'i.is_test = 0 AND i.delivered_at IS NOT NULL'
const COUNT_DELIVERIES = `SELECT ${COUNTER_KEY}, ${sum('1', 'delivery')}, 0 AS "read", 0 AS opened, 0 AS clicked
  FROM message m CROSS JOIN inbox_item i WHERE ${inRange('m.', 'id')} AND ${ITEM_OF_MESSAGE} AND ${IS_COUNTED} GROUP BY ${COUNTER_GROUPS}`
const COUNT_EVENTS = `SELECT ${COUNTER_KEY}, ${COUNTED_EVENTS} FROM delivery_event e CROSS JOIN message m CROSS JOIN inbox_item i
  WHERE ${EVENTS} AND e.automated = 0 AND m.environment_id = e.environment_id AND m.id = e.message_id
    AND ${ITEM_OF_MESSAGE} AND ${IS_COUNTED} GROUP BY ${COUNTER_GROUPS}`
const PURGE_EVENTS = `DELETE FROM delivery_event AS e WHERE ${EVENTS}`
const LOCK_MAILS = `SELECT message_id FROM mail WHERE ${inRange('', 'message_id')} ORDER BY message_id FOR UPDATE`
const purgeOf = (table: string, id: string) => `DELETE FROM ${table} WHERE ${inRange('', id)}`
/** Removes runs without other messages, unless they wait; one that was given up does not wait. */
const PURGE_RUNS = `DELETE FROM run WHERE (environment_id, id) IN
    (SELECT m.environment_id, m.run_id FROM message m WHERE ${inRange('m.', 'id')})
  AND NOT EXISTS (SELECT 1 FROM message n WHERE n.run_id = run.id AND (n.id < ? OR n.id > ?))
  AND NOT EXISTS (SELECT 1 FROM run_wait w WHERE w.environment_id = run.environment_id AND w.run_id = run.id AND w.given_up_at IS NULL)
  RETURNING ${COUNTED_RUN}`
/** Finds messages that were held back or failed, of the hours whose counters are kept. */
const UNSENT_VIEW = viewBoth(
  view(MESSAGE, 'm', ['environmentId', 'campaignId', 'version', 'stepId', 'createdAt']),
  view(INBOX_ITEM, 'i', ['isTest', 'status', 'statusReason']),
)
const UNSENT = `SELECT ${UNSENT_VIEW.columns} FROM message m CROSS JOIN inbox_item i WHERE ${inRange('m.', 'id')} AND m.created_at >= ?
  AND ${ITEM_OF_MESSAGE} AND i.status IN (${UNSENT_STATUSES.map((status) => `'${status}'`).join(', ')})`
/** Their rows are found by the messages, which go after them. */
const PURGE_RUN_ROWS = ROWS_OF_RUNS.map(
  (
    table,
  ) => `DELETE FROM ${table} WHERE (environment_id, run_id) IN (SELECT m.environment_id, m.run_id FROM message m WHERE ${inRange('m.', 'id')})
  AND NOT EXISTS (SELECT 1 FROM run r WHERE r.environment_id = ${table}.environment_id AND r.id = ${table}.run_id)`,
)
