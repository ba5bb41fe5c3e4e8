// Decides throttles by one conditional upsert of a unique row: the first `limit` runs of a user's window pass.

import type { ThrottleGate } from '../../../domain/plan.ts'
import { insertRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import type { UserGate } from './recipients.ts'

/**
 * Takes places in a window that is not full, or starts a new window after the last. A full window is not returned.
 * `taken` may exceed the limit after a batch; the runs beyond it do not pass.
 */
const TAKE_PLACES = insertRows(
  'throttle_window',
  {
    environment_id: 'int',
    user_no: 'int',
    campaign_id: 'int',
    step_id: 'text',
    began_at: 'int',
    ends_at: 'int',
    taken: 'int',
    most: 'int',
  },
  `ON CONFLICT (environment_id, user_no, campaign_id, step_id) DO UPDATE SET
    began_at = CASE WHEN throttle_window.ends_at <= excluded.began_at THEN excluded.began_at ELSE throttle_window.began_at END,
    ends_at = CASE WHEN throttle_window.ends_at <= excluded.began_at THEN excluded.ends_at ELSE throttle_window.ends_at END,
    taken = CASE WHEN throttle_window.ends_at <= excluded.began_at THEN excluded.taken ELSE throttle_window.taken + excluded.taken END,
    most = excluded.most
    WHERE throttle_window.ends_at <= excluded.began_at OR throttle_window.taken < excluded.most
    RETURNING user_no, campaign_id, step_id, taken`,
)

interface TakenRow {
  user_no: number
  campaign_id: number
  step_id: string
  taken: number
}

export interface Throttled {
  /** The gates that are shut. */
  shut: ReadonlySet<ThrottleGate>
  /** The number of runs that passed in the window before each gate, at most the limit. */
  before: ReadonlyMap<ThrottleGate, number>
}

/** Decides the gates; those of one user and step in the order of `gates`. */
export async function findThrottled(context: WriteContext, gates: UserGate<ThrottleGate>[]): Promise<Throttled> {
  const shut = new Set<ThrottleGate>()
  const counted = new Map<ThrottleGate, number>()
  if (gates.length === 0) return { shut, before: counted }
  const byRow = new Map<string, UserGate<ThrottleGate>[]>()
  for (const one of gates) {
    const key = keyOf(one.userNo, one.gate.campaignId, one.gate.stepId)
    const same = byRow.get(key)
    if (same === undefined) byRow.set(key, [one])
    else same.push(one)
  }
  // Sorted, so that two nodes lock rows in one order.
  const rows = [...byRow.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => rowOf(context.now, same))
  const windows = await context.sql.bulk<TakenRow>(TAKE_PLACES, rows)
  const taken = new Map(windows.map((row) => [keyOf(row.user_no, row.campaign_id, row.step_id), row.taken]))
  for (const [key, same] of byRow) {
    const before = (taken.get(key) ?? Number.POSITIVE_INFINITY) - same.length
    same.forEach(({ gate }, index) => {
      counted.set(gate, Math.min(gate.limit, before + index))
      if (before + index >= gate.limit) shut.add(gate)
    })
  }
  await removeEnded(context, rows.length)
  return { shut, before: counted }
}

function rowOf(now: number, same: UserGate<ThrottleGate>[]) {
  const { gate, userNo, environmentId } = same.at(-1) as UserGate<ThrottleGate>
  return [environmentId, userNo, gate.campaignId, gate.stepId, now, now + gate.windowMs, same.length, gate.limit]
}

const keyOf = (userNo: number, campaignId: number, stepId: string) => `${userNo}:${campaignId}:${stepId}`

/** Removes up to twice as many ended windows as the batch may have started, so that the table stays small. */
async function removeEnded({ sql, now }: WriteContext, begun: number): Promise<void> {
  await sql.run(
    `WITH chosen AS MATERIALIZED
        (SELECT environment_id, user_no, campaign_id, step_id FROM throttle_window WHERE ends_at <= ? ORDER BY ends_at LIMIT ?${sql.skipLocked})
      DELETE FROM throttle_window WHERE (environment_id, user_no, campaign_id, step_id) IN
        (SELECT environment_id, user_no, campaign_id, step_id FROM chosen)`,
    [now, 2 * begun],
  )
}
