// The throttle: the first `limit` runs of a user's window go past, decided by one conditional statement on a unique row (contract section 6).

import type { ThrottleGate } from '../../../domain/gate.ts'
import { insertRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'

/** A gate with the number of its user. */
export interface Asked<G> {
  gate: G
  userNo: number
  environmentId: number
}

/**
 * Takes places in a window that has some, and begins a new one where the last is over. A full one is left alone and not
 * returned. What one batch asks for at once may raise `taken` above the limit; who is behind it has not gone past.
 */
const TAKE_PLACES = insertRows(
  'throttle_window',
  {
    user_no: 'int',
    campaign_id: 'int',
    step_id: 'text',
    environment_id: 'int',
    began_at: 'int',
    ends_at: 'int',
    taken: 'int',
    most: 'int',
  },
  `ON CONFLICT (user_no, campaign_id, step_id) DO UPDATE SET
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
  /** How many had gone past in the window before each, the limit at most. */
  before: ReadonlyMap<ThrottleGate, number>
}

/** Those of one user and step are asked in their order. */
export async function findThrottled(context: WriteContext, asked: Asked<ThrottleGate>[]): Promise<Throttled> {
  const shut = new Set<ThrottleGate>()
  const counted = new Map<ThrottleGate, number>()
  if (asked.length === 0) return { shut, before: counted }
  const byRow = new Map<string, Asked<ThrottleGate>[]>()
  for (const one of asked) {
    const key = keyOf(one.userNo, one.gate.campaignId, one.gate.stepId)
    const same = byRow.get(key)
    if (same === undefined) byRow.set(key, [one])
    else same.push(one)
  }
  // Sorted, so that two nodes take their rows in one order.
  const rows = [...byRow.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => rowOf(context.now, same))
  const answered = await context.sql.bulk<TakenRow>(TAKE_PLACES, rows)
  const taken = new Map(answered.map((row) => [keyOf(row.user_no, row.campaign_id, row.step_id), row.taken]))
  for (const [key, same] of byRow) {
    const before = (taken.get(key) ?? Number.POSITIVE_INFINITY) - same.length
    same.forEach(({ gate }, index) => {
      counted.set(gate, Math.min(gate.limit, before + index))
      if (before + index >= gate.limit) shut.add(gate)
    })
  }
  await sweep(context, rows.length)
  return { shut, before: counted }
}

function rowOf(now: number, same: Asked<ThrottleGate>[]) {
  const { gate, userNo, environmentId } = same.at(-1) as Asked<ThrottleGate>
  return [userNo, gate.campaignId, gate.stepId, environmentId, now, now + gate.windowMs, same.length, gate.limit]
}

const keyOf = (userNo: number, campaignId: number, stepId: string) => `${userNo}:${campaignId}:${stepId}`

/** Each batch removes twice as many windows that are over as it may have begun, so that the table holds little but living ones. */
async function sweep({ sql, now }: WriteContext, begun: number): Promise<void> {
  await sql.run(
    `WITH chosen AS MATERIALIZED
        (SELECT user_no, campaign_id, step_id FROM throttle_window WHERE ends_at <= ? ORDER BY ends_at LIMIT ?${sql.skipLocked})
      DELETE FROM throttle_window WHERE (user_no, campaign_id, step_id) IN (SELECT user_no, campaign_id, step_id FROM chosen)`,
    [now, 2 * begun],
  )
}
