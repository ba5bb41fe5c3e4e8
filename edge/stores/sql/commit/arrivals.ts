// Makes waiting runs due when an event arrives that they await, in the event's own commit. Runs no statement for
// events that no run awaits.

import type { TrackPlan } from '../../../domain/plan.ts'
import { insertRows, type Param, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'

const COLUMNS = { environment_id: 'int', user_id: 'text', name: 'text', event_id: 'int' } as const
const find = (lock: string) =>
  withRows(
    COLUMNS,
    `SELECT w.environment_id, w.run_id, given.event_id FROM given CROSS JOIN app_user u CROSS JOIN run_wait w
      WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id AND w.user_no = u.user_no AND w.awaits = given.name
        AND w.given_up_at IS NULL${lock}`,
  )
const FIND = find('')
/** Locks the waits before any inbox, in the same order as continuations of runs. */
const FIND_LOCKED = find(' ORDER BY w.run_id FOR UPDATE OF w')
const INSERT = insertRows(
  'run_arrival',
  { environment_id: 'int', run_id: 'int', event_id: 'int' },
  'ON CONFLICT (environment_id, run_id, event_id) DO NOTHING',
)
/**
 * Raises the fence: a worker that has claimed the run does not know the event, so its plan is refused. Its attempt does not
 * count: a user of many events would else use up all attempts of a run.
 */
const MAKE_DUE = withRows(
  { environment_id: 'int', run_id: 'int', now: 'int' },
  `UPDATE run_wait SET due_at = CASE WHEN due_at IS NULL THEN NULL ELSE given.now END, fence = run_wait.fence + 1,
      attempts = CASE WHEN run_wait.attempts > 0 THEN run_wait.attempts - 1 ELSE 0 END
    FROM given WHERE run_wait.environment_id = given.environment_id AND run_wait.run_id = given.run_id`,
)

export interface ResumedRun {
  environmentId: number
  runId: number
  eventId: number
}

/** @returns The runs that already wait for the events of these plans. */
export async function findResumedRuns(context: WriteContext, plans: TrackPlan[]): Promise<ResumedRun[]> {
  const { sql } = context
  const rows = plans.flatMap((plan) => resumingRows(plan))
  if (rows.length === 0) return []
  const statement = sql.forUpdate === '' ? FIND : FIND_LOCKED
  const found = await sql.bulk<{ environment_id: number; run_id: number; event_id: number }>(statement, rows)
  return found.map((row) => ({ environmentId: row.environment_id, runId: row.run_id, eventId: row.event_id }))
}

/** Records the arrivals and makes the runs due, also runs whose waits are earlier in this batch than the event. */
export async function writeArrivals(context: WriteContext, plans: TrackPlan[], resumed: ResumedRun[]): Promise<void> {
  const all = [...resumed, ...findResumedInBatch(plans)]
  if (all.length === 0) return
  await context.sql.bulk(
    INSERT,
    all.map(({ environmentId, runId, eventId }) => [environmentId, runId, eventId]),
  )
  const runs = [...new Map(all.map(({ runId, environmentId }) => [runId, environmentId]))].sort(([a], [b]) => a - b)
  await context.sql.bulk(
    MAKE_DUE,
    runs.map(([runId, environmentId]) => [environmentId, runId, context.now]),
  )
}

function findResumedInBatch(plans: TrackPlan[]): ResumedRun[] {
  const waiting = new Map<string, number[]>()
  const resumed: ResumedRun[] = []
  for (const plan of plans) {
    const { awaitedEvent, environmentId } = plan
    for (const userId of awaitedEvent?.userIds ?? []) {
      const runs = waiting.get(`${environmentId}:${awaitedEvent?.name}:${userId}`) ?? []
      for (const runId of runs) resumed.push({ environmentId, runId, eventId: awaitedEvent?.eventId ?? 0 })
    }
    for (const { awaits, userId, runId } of plan.waits) {
      if (awaits === null) continue
      const key = `${environmentId}:${awaits}:${userId}`
      waiting.set(key, [...(waiting.get(key) ?? []), runId])
    }
  }
  return resumed
}

function resumingRows({ awaitedEvent, environmentId }: TrackPlan): Param[][] {
  if (awaitedEvent === undefined) return []
  return awaitedEvent.userIds.map((userId) => [environmentId, userId, awaitedEvent.name, awaitedEvent.eventId])
}
