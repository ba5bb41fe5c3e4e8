// Removes the oldest events, runs, messages and jobs of an environment in small steps; counters stay.

import type { AuditEntry } from '../../domain/audit.ts'
import type { PurgeStep, Retention } from '../../domain/organisation.ts'
import { idFloorAt } from '../../lib/id.ts'
import { type RawRow, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { recordAudit } from './audit.ts'
import { countRecipients, type ListedRecipients, removeRecipients } from './commit/event-recipient.ts'
import { COUNTED_RUN, toCountedRun, writePurgedRuns } from './counted-runs.ts'
import { purgeDoubtsOf } from './doubt.ts'
import { purgeEventNames } from './event-name.ts'
import { purgeLayouts } from './mail-layout.ts'
import { purgeOldMessages } from './purge-old-messages.ts'
import { purgeRunRows } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import { purgeStepCounts } from './step-count.ts'
import type { WriteContext, Writes } from './write.ts'

const STEP_ROWS = 400

interface PurgeOptions {
  environmentId: number
  before: number
  /** Whether a notice makes other nodes reload the changed inboxes (notice.ts). */
  byNotice: boolean
  gone: Gone
}

/** Ids up to which a step need not look: before a vacuum, PostgreSQL reads removed rows again to find the first. */
interface Gone {
  messages: number
  events: number
}
const NONE_GONE: Gone = { messages: 0, events: 0 }

export const retentionWrites = {
  /** Removes a bounded number of rows older than `before` (epoch ms). */
  async purgeStep(
    context: WriteContext,
    { environmentId, before, gone }: PurgeOptions,
  ): Promise<PurgeStep & { gone: Gone }> {
    const { last: messages, ...purged } = await purgeOldMessages(context, environmentId, before, gone.messages)
    if (purged.rows > 0) return { ...purged, gone: { ...gone, messages } }
    const { rows, last: events } = await purgeOldEvents(context, environmentId, before, gone.events)
    return { rows, pushes: [], gone: { messages, events } }
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
  const goneOf = new Map<number, Gone>()
  return {
    async purgeStep(environmentId, before, byNotice = false) {
      const known = goneOf.get(environmentId) ?? NONE_GONE
      const { gone, ...step } = await writes.purgeStep({ environmentId, before, byNotice, gone: known })
      // The next step after the last looks from the beginning: what a run needed then may go now.
      if (step.rows > 0) goneOf.set(environmentId, gone)
      else goneOf.delete(environmentId)
      return step
    },
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

const OLD_EVENT = view(TRACKED_EVENT, 'e', ['id', 'environmentId'])
/**
 * Selects old events that no run needs. Their own runs, a digest, or a run of a paused campaign may still have to read
 * them.
 */
const OLD_EVENTS = `SELECT ${OLD_EVENT.columns}, e.user_ids AS "userIds" FROM tracked_event e WHERE e.environment_id = ? AND e.id > ? AND e.id < ? AND e.received_at < ?
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
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.run_id = r.id) LIMIT ${STEP_ROWS}) RETURNING ${COUNTED_RUN}`,
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

async function purgeOldEvents(
  context: WriteContext,
  environmentId: number,
  before: number,
  gone: number,
): Promise<{ rows: number; last: number }> {
  const { sql } = context
  const old = [idFloorAt(before), before, STEP_ROWS]
  const oldEvents = await sql.all<ListedRecipients>(OLD_EVENTS, [environmentId, gone, ...old])
  const removed = await sql.bulk<RawRow>(
    PURGE_RUNS,
    oldEvents.map(({ id }) => [id]),
  )
  const runs = removed.map(toCountedRun)
  await writePurgedRuns(context, runs)
  await purgeRunRows(
    sql,
    runs.map(({ id }) => [environmentId, id]),
  )
  if (runs.length > 0) return { rows: runs.length, last: gone }
  const events = await purgeEventRows(sql, oldEvents)
  if (events > 0) return { rows: events, last: oldEvents[events - 1]?.id ?? gone }
  const jobs = await sql.run(`DELETE FROM job WHERE environment_id = ? AND id IN (${OLD_JOBS})`, [
    environmentId,
    environmentId,
    ...old,
  ])
  const rows = jobs > 0 ? jobs : await purgeEnded(context, environmentId, before)
  return { rows, last: gone }
}

/** Removes throttle windows, doubts, counters of steps, what was learned of events, or layouts that nothing uses any more. */
async function purgeEnded({ sql, now }: WriteContext, environmentId: number, before: number): Promise<number> {
  const windows = await sql.run(PURGE_THROTTLES, [environmentId, before, STEP_ROWS])
  if (windows > 0) return windows
  const doubts = await purgeDoubtsOf(sql, environmentId, before)
  if (doubts > 0) return doubts
  const counters = await purgeStepCounts(sql, environmentId, now, STEP_ROWS)
  if (counters > 0) return counters
  const learned = await purgeEventNames(sql, environmentId, before)
  return learned > 0 ? learned : purgeLayouts(sql, environmentId, before, STEP_ROWS)
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
