// Removes the oldest events, runs, messages and jobs of an environment in small steps; counters stay.

import type { AuditEntry } from '../../domain/audit.ts'
import type { PurgeStep, Retention } from '../../domain/organisation.ts'
import { idFloorAt } from '../../lib/id.ts'
import { MESSAGE } from '../tables/message.ts'
import { type RowOf, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { recordAudit } from './audit.ts'
import { countRecipients, type ListedRecipients, removeRecipients } from './commit/event-recipient.ts'
import { CUT_LOGS, createInboxWork, type InboxWork, stateOf } from './commit/inbox-work.ts'
import { lockHeads, readMessages, type WorkingHead, type WorkingMessage } from './commit/working-rows.ts'
import { purgeDoubtsOf } from './doubt.ts'
import { purgeLayouts } from './mail-layout.ts'
import { purgeMessages } from './purge-messages.ts'
import { purgeRunRows } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** A message has a run and up to four delivery events, so a step removes up to 500 rows. */
const STEP_MESSAGES = 80
const STEP_ROWS = 400

interface PurgeOptions {
  environmentId: number
  before: number
  /** Whether a notice makes other nodes reload the changed inboxes (notice.ts). */
  byNotice: boolean
}

export const retentionWrites = {
  /** Removes a bounded number of rows older than `before` (epoch ms). */
  async purgeStep(context: WriteContext, { environmentId, before }: PurgeOptions): Promise<PurgeStep> {
    const purged = await purgeOldMessages(context, environmentId, before)
    if (purged.rows > 0) return purged
    return { rows: await purgeOldEvents(context, environmentId, before), pushes: [] }
  },
  async setRetentionDays(
    context: WriteContext,
    organisationId: number,
    days: number,
    audit?: AuditEntry,
  ): Promise<boolean> {
    // Raises the revision, because a concurrent change of the settings has read the old days.
    const changed = await context.sql.run(
      'UPDATE organisation SET retention_days = ?, revision = revision + 1 WHERE id = ? AND retention_days <> ?',
      [days, organisationId, days],
    )
    if (changed > 0 && audit !== undefined) await recordAudit(context, audit)
    if (changed > 0) return true
    return (await context.sql.one('SELECT id FROM organisation WHERE id = ?', [organisationId])) !== undefined
  },
}

export function createRetention(sql: Sql, writes: Writes<typeof retentionWrites>): Retention {
  return {
    purgeStep: (environmentId, before, byNotice = false) => writes.purgeStep({ environmentId, before, byNotice }),
    setDays: writes.setRetentionDays,
    async findOldestAt(environmentId) {
      // Ids rise with time: the first row of each index is the oldest.
      const first = (table: string, at: string) =>
        sql.one<{ at: number }>(`SELECT ${at} AS at FROM ${table} WHERE environment_id = ? ORDER BY id LIMIT 1`, [
          environmentId,
        ])
      const rows = await Promise.all([first('message', 'created_at'), first('tracked_event', 'received_at')])
      const ages = rows.flatMap((row) => row?.at ?? [])
      return ages.length === 0 ? null : Math.min(...ages)
    },
  }
}

const OLD = view(MESSAGE, '', ['id', 'userNo', 'runId'])

async function purgeOldMessages(context: WriteContext, environmentId: number, before: number): Promise<PurgeStep> {
  const { sql } = context
  // Ids rise with time: the oldest rows come first, and the scan ends at the first that is too new.
  const rows = await sql.all<RowOf<typeof OLD>>(
    `SELECT ${OLD.columns} FROM message WHERE environment_id = ? AND id < ? AND created_at < ? ORDER BY id LIMIT ?`,
    [environmentId, idFloorAt(before), before, STEP_MESSAGES],
  )
  if (rows.length === 0) return { rows: 0, pushes: [] }
  const heads = await lockHeads(
    sql,
    [...new Set(rows.map((row) => row.userNo))].map((userNo) => ({ environmentId, userNo })),
  )
  const messages = await readMessages(
    sql,
    rows.map((row) => [environmentId, row.id]),
  )
  const inboxes = createInboxWork(context.storeEpoch)
  for (const head of heads) inboxes.addHead(head)
  // In the order of the ids: clients receive the removal of the oldest message first.
  messages.sort((a, b) => a.id - b.id)
  removeFromInboxes(inboxes, heads, messages, context.now)
  const pushes = inboxes.takePushes()
  await inboxes.write(sql)
  await cutLogs(context, heads)
  const runs = new Map(rows.map((row) => [row.id, row.runId]))
  await purgeMessages(
    context,
    messages.map((message) => ({ ...message, runId: runs.get(message.id) ?? 0 })),
  )
  return { rows: messages.length, pushes }
}

/**
 * Removes messages from inboxes by ordinary changes. Raises the floor of the log to the newest of them, because
 * clients with an older position would miss their `add`.
 */
function removeFromInboxes(inboxes: InboxWork, heads: WorkingHead[], messages: WorkingMessage[], now: number): void {
  const byUser = new Map(heads.map((head) => [head.userNo, head]))
  for (const message of messages) {
    const head = byUser.get(message.userNo)
    if (head === undefined || message.seq === 0) continue
    if (message.removedAt === null) inboxes.change(message, { ...stateOf(message), removedAt: now })
    head.floor = Math.max(head.floor, message.seq)
    head.rowState = 'changed'
  }
}

async function cutLogs({ sql }: WriteContext, heads: WorkingHead[]): Promise<void> {
  await sql.bulk(
    CUT_LOGS,
    heads.filter(({ rowState }) => rowState === 'changed').map((head) => [head.environmentId, head.userNo, head.floor]),
  )
}

const OLD_EVENT = view(TRACKED_EVENT, 'e', ['id', 'environmentId'])
/**
 * Selects old events that no run needs. Their own runs, a digest, or a run of a paused campaign may still have to read
 * them.
 */
const OLD_EVENTS = `SELECT ${OLD_EVENT.columns}, e.user_ids AS "userIds" FROM tracked_event e WHERE e.environment_id = ? AND e.id < ? AND e.received_at < ?
  AND NOT EXISTS (SELECT 1 FROM run w WHERE w.event_id = e.id AND w.state IN ('running', 'waiting'))
  AND NOT EXISTS (SELECT 1 FROM digest_event d WHERE d.event_id = e.id AND EXISTS
    (SELECT 1 FROM run g WHERE g.environment_id = d.environment_id AND g.id = d.run_id AND g.state = 'waiting'))
  AND NOT EXISTS (SELECT 1 FROM run_arrival a CROSS JOIN run_wait v WHERE a.event_id = e.id
    AND v.environment_id = a.environment_id AND v.run_id = a.run_id AND v.given_up_at IS NULL) ORDER BY e.id LIMIT ?`
/**
 * Removes a bounded number of their runs. The ids are parameters: with a subquery, PostgreSQL searched the events again
 * for each run, for half a minute.
 */
const PURGE_RUNS = withRows(
  { event_id: 'int' },
  `DELETE FROM run WHERE (environment_id, id) IN (SELECT r.environment_id, r.id FROM given CROSS JOIN run r WHERE r.event_id = given.event_id
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.run_id = r.id) LIMIT ${STEP_ROWS}) RETURNING id`,
)
/** Selects dead jobs (without a due time). */
const OLD_JOBS = 'SELECT id FROM job WHERE environment_id = ? AND id < ? AND created_at < ? AND due_at IS NULL LIMIT ?'

/**
 * Commits with a throttle remove ended windows; these remain in environments that use no throttle any more. Of an
 * environment, `+` lets the index by their end find them: few have ended.
 */
const PURGE_THROTTLES = `DELETE FROM throttle_window WHERE (environment_id, user_no, campaign_id, step_id) IN
  (SELECT environment_id, user_no, campaign_id, step_id FROM throttle_window
    WHERE +environment_id = ? AND ends_at < ? ORDER BY ends_at LIMIT ?)`

async function purgeOldEvents({ sql }: WriteContext, environmentId: number, before: number): Promise<number> {
  const old = [environmentId, idFloorAt(before), before, STEP_ROWS]
  const oldEvents = await sql.all<ListedRecipients>(OLD_EVENTS, old)
  const runs = await sql.bulk<{ id: number }>(
    PURGE_RUNS,
    oldEvents.map(({ id }) => [id]),
  )
  await purgeRunRows(
    sql,
    runs.map(({ id }) => [environmentId, id]),
  )
  if (runs.length > 0) return runs.length
  const events = await purgeEventRows(sql, oldEvents)
  if (events > 0) return events
  const jobs = await sql.run(`DELETE FROM job WHERE environment_id = ? AND id IN (${OLD_JOBS})`, [
    environmentId,
    ...old,
  ])
  if (jobs > 0) return jobs
  const windows = await sql.run(PURGE_THROTTLES, [environmentId, before, STEP_ROWS])
  if (windows > 0) return windows
  const doubts = await purgeDoubtsOf(sql, environmentId, before)
  return doubts > 0 ? doubts : purgeLayouts(sql, environmentId, before, STEP_ROWS)
}

const PURGE_EVENTS = withRows(
  { environment_id: 'int', id: 'int' },
  'DELETE FROM tracked_event WHERE (environment_id, id) IN (SELECT environment_id, id FROM given)',
)

/** Removes events with their recipient rows: at least one event, and else at most `STEP_ROWS` rows. */
async function purgeEventRows(sql: Sql, events: ListedRecipients[]): Promise<number> {
  let rows = 0
  let count = 0
  for (const event of events) {
    rows += 1 + countRecipients(event)
    if (count > 0 && rows > STEP_ROWS) break
    count++
  }
  const step = events.slice(0, count)
  await removeRecipients(sql, step)
  await sql.bulk(
    PURGE_EVENTS,
    step.map((event) => [event.environmentId, event.id]),
  )
  return step.length
}
