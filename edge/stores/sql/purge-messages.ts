// Removes messages for erasure, and adds their counts to those of purged rows.

import type { FunnelStepName, MessageStatus, RegisteredEventType } from '../../../contract/delivery.ts'
import { DELIVERY_EVENT, EVENT_KEY, eventKeysOf } from '../tables/message.ts'
import { type RawRow, view } from '../tables/table.ts'
import { type Counted, createTally } from './commit/counters.ts'
import { createStepTally } from './commit/step-tally.ts'
import { COUNTED_RUN, countPurged, toCountedRun } from './counted-runs.ts'
import { purgeRunRows } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext } from './write.ts'

/** The funnel step that each delivery event counts for. */
export const STEP_OF: Record<RegisteredEventType, FunnelStepName> = {
  read: 'read',
  opened: 'opened',
  clicked: 'clicked',
}

export interface PurgedMessage extends Counted {
  environmentId: number
  id: number
  runId: number
  isTest: boolean
  status: MessageStatus
  statusReason: string | null
  createdAt: number
  deliveredAt: number | null
}

const PURGED_EVENT = view(DELIVERY_EVENT, '', ['messageId', 'eventType', 'automated'])
const KEY = { environment_id: 'int', id: 'int' } as const
const PURGE_EVENTS = withRows(
  EVENT_KEY,
  `DELETE FROM delivery_event WHERE (environment_id, event_type, message_id) IN (SELECT environment_id, event_type, message_id FROM given)
    RETURNING ${PURGED_EVENT.columns}`,
)
/** Renewals of claims lock mails in this order, too. */
const LOCK_MAILS = withRows(
  KEY,
  `SELECT x.message_id FROM given CROSS JOIN mail x
    WHERE x.environment_id = given.environment_id AND x.message_id = given.id ORDER BY x.message_id FOR UPDATE OF x`,
)
const PURGE_MAILS = withRows(
  KEY,
  'DELETE FROM mail WHERE (environment_id, message_id) IN (SELECT environment_id, id FROM given)',
)
const PURGE_KEPT_MAILS = withRows(
  KEY,
  'DELETE FROM kept_mail WHERE (environment_id, message_id) IN (SELECT environment_id, id FROM given)',
)
const PURGE_MESSAGES = withRows(
  KEY,
  'DELETE FROM message WHERE (environment_id, id) IN (SELECT environment_id, id FROM given)',
)
const PURGE_ITEMS = withRows(
  KEY,
  'DELETE FROM inbox_item WHERE (environment_id, message_id) IN (SELECT environment_id, id FROM given)',
)
/** Removes runs without remaining messages, unless they wait; one that was given up does not wait. */
const PURGE_RUNS = withRows(
  KEY,
  `DELETE FROM run WHERE (environment_id, id) IN (SELECT environment_id, id FROM given)
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.run_id = run.id)
    AND NOT EXISTS (SELECT 1 FROM run_wait w WHERE w.environment_id = run.environment_id AND w.run_id = run.id AND w.given_up_at IS NULL)
    RETURNING ${COUNTED_RUN}`,
)

/**
 * Removes messages with their mails, delivery events and runs. Counters stay; `funnel_purged` and `step_purged` get the removed counts, so that
 * a rebuild has the same result. The caller updates the inboxes.
 */
export async function purgeMessages(context: WriteContext, messages: PurgedMessage[]): Promise<void> {
  const { sql } = context
  const keys = messages.map(({ environmentId, id }): [number, number] => [environmentId, id])
  const events = (await sql.bulk<RawRow>(PURGE_EVENTS, keys.flatMap(eventKeysOf))).map(PURGED_EVENT.read)
  const byId = new Map(messages.map((message) => [message.id, message]))
  const tally = createTally()
  const steps = createStepTally(context.now)
  for (const message of messages) {
    steps.countReason(message, message.status, message.statusReason, 1)
    if (!message.isTest && message.deliveredAt !== null) tally.count(message, message.deliveredAt, 'delivery')
  }
  for (const { messageId, eventType, automated } of events) {
    const message = byId.get(messageId)
    if (message === undefined || message.isTest || message.deliveredAt === null || automated) continue
    tally.count(message, message.deliveredAt, STEP_OF[eventType])
  }
  await tally.writePurged(context)
  await purgeMails(
    sql,
    messages.filter(({ channel }) => channel === 'email').map(({ environmentId, id }) => [environmentId, id]),
  )
  await sql.bulk(PURGE_MESSAGES, keys)
  await sql.bulk(PURGE_ITEMS, keys)
  const removed = await sql.bulk<RawRow>(
    PURGE_RUNS,
    messages.map((message) => [message.environmentId, message.runId]),
  )
  const runs = removed.map(toCountedRun)
  countPurged(steps, runs, context.now)
  await steps.writePurged(context)
  await purgeRunRows(
    sql,
    runs.map((run) => [run.environmentId, run.id]),
  )
}

async function purgeMails(sql: Sql, keys: [environmentId: number, id: number][]): Promise<void> {
  if (sql.forUpdate !== '') await sql.bulk(LOCK_MAILS, keys)
  await sql.bulk(PURGE_MAILS, keys)
  await sql.bulk(PURGE_KEPT_MAILS, keys)
}
