// Events that wake waiting runs, in their own commit (contract section 6, `waitFor`). Nothing of it runs for names that nobody awaits.

import type { TrackPlan } from '../../../domain/plan.ts'
import { insertRows, type Param, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'

const COLUMNS = { environment_id: 'int', user_id: 'text', name: 'text', event_id: 'int' } as const
const find = (lock: string) =>
  withRows(
    COLUMNS,
    `SELECT w.run_id, given.event_id FROM given CROSS JOIN app_user u CROSS JOIN run_wait w
      WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id AND w.user_no = u.user_no AND w.awaits = given.name${lock}`,
  )
const FIND = find('')
/** Held from here on, before any inbox: so do those who carry runs on. */
const FIND_LOCKED = find(' ORDER BY w.run_id FOR UPDATE OF w')
const INSERT = insertRows(
  'run_arrival',
  { run_id: 'int', event_id: 'int' },
  'ON CONFLICT (run_id, event_id) DO NOTHING',
)
/** Whoever has claimed it meanwhile decides without the event: its continuation must find another fence. */
const WAKE = withRows(
  { run_id: 'int', now: 'int' },
  `UPDATE run_wait SET due_at = CASE WHEN due_at IS NULL THEN NULL ELSE given.now END, fence = run_wait.fence + 1
    FROM given WHERE run_wait.run_id = given.run_id`,
)

export interface Woken {
  runId: number
  eventId: number
}

/** The runs that wait already for what these plans bring. */
export async function findWoken(context: WriteContext, plans: TrackPlan[]): Promise<Woken[]> {
  const { sql } = context
  const rows = plans.flatMap((plan) => wakingRows(plan))
  if (rows.length === 0) return []
  const statement = sql.forUpdate === '' ? FIND : FIND_LOCKED
  const found = await sql.bulk<{ run_id: number; event_id: number }>(statement, rows)
  return found.map((row) => ({ runId: row.run_id, eventId: row.event_id }))
}

/** Writes what came, also for runs that begin to wait in this batch before the event in it. */
export async function writeArrivals(context: WriteContext, plans: TrackPlan[], woken: Woken[]): Promise<void> {
  const all = [...woken, ...findWokenWithin(plans)]
  if (all.length === 0) return
  await context.sql.bulk(
    INSERT,
    all.map(({ runId, eventId }) => [runId, eventId]),
  )
  const runs = [...new Set(all.map(({ runId }) => runId))].sort((a, b) => a - b)
  await context.sql.bulk(
    WAKE,
    runs.map((runId) => [runId, context.now]),
  )
}

function findWokenWithin(plans: TrackPlan[]): Woken[] {
  const waiting = new Map<string, number[]>()
  const woken: Woken[] = []
  for (const plan of plans) {
    const { waking, environmentId } = plan
    for (const userId of waking?.userIds ?? []) {
      const runs = waiting.get(`${environmentId}:${waking?.name}:${userId}`) ?? []
      for (const runId of runs) woken.push({ runId, eventId: waking?.eventId ?? 0 })
    }
    for (const { awaits, userId, runId } of plan.waits) {
      if (awaits === null) continue
      const key = `${environmentId}:${awaits}:${userId}`
      waiting.set(key, [...(waiting.get(key) ?? []), runId])
    }
  }
  return woken
}

function wakingRows({ waking, environmentId }: TrackPlan): Param[][] {
  if (waking === undefined) return []
  return waking.userIds.map((userId) => [environmentId, userId, waking.name, waking.eventId])
}
