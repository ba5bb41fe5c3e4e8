// Waits of runs in the journey's transaction: taken by who carries a run on, and written for who is going to (contract section 6).

import type { TrackOutcome, TrackPlan } from '../../../domain/plan.ts'
import type { NewWait, RunContinuation } from '../../../domain/run/run-wait.ts'
import { insertRows, type Param, toFlag, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { getUserNo } from './recipients.ts'

const CLAIM = { run_id: 'int', fence: 'int' } as const
/** In place of a fence: whatever the run waits for. */
const ANY_FENCE = -1

const isClaimed = `run_wait.run_id = given.run_id AND (given.fence = ${ANY_FENCE} OR run_wait.fence = given.fence)`
const END_WAITS = withRows(
  CLAIM,
  `DELETE FROM run_wait WHERE run_id IN (SELECT given.run_id FROM given JOIN run_wait w ON w.run_id = given.run_id
    WHERE given.fence = ${ANY_FENCE} OR w.fence = given.fence) RETURNING run_id`,
)
/** The row stays in its place: who erases or cancels meanwhile waits for it, and meets the wait that follows. */
const MOVE_WAITS = withRows(
  {
    ...CLAIM,
    wait_no: 'int',
    step_id: 'text',
    awaits: 'text',
    timer_at: 'int',
    course: 'text',
  },
  `UPDATE run_wait SET wait_no = given.wait_no, step_id = given.step_id, awaits = given.awaits, 
    timer_at = given.timer_at, due_at = given.timer_at, attempts = 0, parked = 0, fence = run_wait.fence + 1, course = given.course, error = NULL
    FROM given WHERE ${isClaimed} RETURNING run_wait.run_id`,
)
const INSERT_WAITS = insertRows('run_wait', {
  run_id: 'int',
  environment_id: 'int',
  campaign_id: 'int',
  user_no: 'int',
  wait_no: 'int',
  step_id: 'text',
  awaits: 'text',
  timer_at: 'int',
  due_at: 'int',
  attempts: 'int',
  fence: 'int',
  parked: 'int',
  course: 'text',
})
const UPDATE_RUNS = withRows(
  {
    id: 'int',
    branch: 'text',
    state: 'text',
    state_reason: 'text',
    ended_at: 'int',
    has_message: 'int',
    trace: 'text',
  },
  `UPDATE run SET branch = given.branch, state = given.state, state_reason = given.state_reason, ended_at = given.ended_at,
    has_message = CASE WHEN given.has_message = 1 THEN 1 ELSE run.has_message END, trace = given.trace FROM given WHERE run.id = given.id`,
)

/** Ends or moves the waits that plans carry on; a plan whose run no longer waits under its claim is refused. In the order of the runs, as every node takes them. */
export async function refuseEnded(
  context: WriteContext,
  plans: TrackPlan[],
  refused: Map<TrackPlan, TrackOutcome>,
): Promise<void> {
  const carried: { plan: TrackPlan; continues: RunContinuation }[] = []
  for (const plan of plans) {
    if (plan.continues !== null && !refused.has(plan)) carried.push({ plan, continues: plan.continues })
  }
  if (carried.length === 0) return
  carried.sort((a, b) => a.continues.claim.runId - b.continues.claim.runId)
  const taken = new Set<number>()
  const ends = carried.filter(({ continues }) => continues.next === null)
  const moves = carried.flatMap(({ continues }) =>
    continues.next === null ? [] : [moveRow(continues, continues.next)],
  )
  for (const [statement, rows] of [
    [END_WAITS, ends.map(({ continues }) => claimRow(continues))],
    [MOVE_WAITS, moves],
  ] as const) {
    const done = rows.length === 0 ? [] : await context.sql.bulk<{ run_id: number }>(statement, rows)
    for (const row of done) taken.add(row.run_id)
  }
  const looked = carried.flatMap(({ continues: { claim, dropsArrivals } }) =>
    dropsArrivals === true && taken.has(claim.runId) ? [[claim.runId]] : [],
  )
  if (looked.length > 0) await context.sql.bulk(DROP_ARRIVALS, looked)
  for (const { plan, continues } of carried) {
    // Taken out once: of two plans that carry the same run on the second one comes too late.
    if (!taken.delete(continues.claim.runId)) refused.set(plan, { result: 'not-waiting' })
  }
}

/** Writes what became of the runs that were carried on, and the waits of runs that begin. `planOf`: the plan as its gates let it be. */
export async function writeWaits(
  context: WriteContext,
  admitted: TrackPlan[],
  planOf: (plan: TrackPlan) => TrackPlan,
): Promise<void> {
  const { sql } = context
  const plans = admitted.map(planOf)
  // Its wait was moved before the gates were asked.
  const ended = admitted.filter((plan) => plan.continues?.next && planOf(plan).continues?.next === null)
  if (ended.length > 0) {
    const claims = ended.map(({ continues }) => [continues?.claim.runId ?? 0, ANY_FENCE])
    await sql.bulk(END_WAITS, claims)
  }
  const runs = plans.flatMap((plan) => (plan.continues === null ? [] : [runRow(plan, plan.continues)]))
  if (runs.length > 0) await sql.bulk(UPDATE_RUNS, runs)
  const waits = plans.flatMap((plan) => plan.waits.map((wait) => waitRow(context, plan.environmentId, wait)))
  if (waits.length > 0) await sql.bulk(INSERT_WAITS, waits)
}

const DROP_ARRIVALS = withRows({ run_id: 'int' }, 'DELETE FROM run_arrival WHERE run_id IN (SELECT run_id FROM given)')

function claimRow({ claim }: RunContinuation): Param[] {
  return [claim.runId, claim.fence]
}

function moveRow(continues: RunContinuation, next: NewWait): Param[] {
  const { number, stepId, awaits, dueAt, course } = next
  return [...claimRow(continues), number, stepId, awaits, dueAt, course]
}

function runRow(plan: TrackPlan, continues: RunContinuation): Param[] {
  const { claim, branch, state, stateReason, endedAt, trace } = continues
  return [claim.runId, branch, state, stateReason, endedAt, toFlag(plan.messages.length > 0), trace]
}

function waitRow(context: WriteContext, environmentId: number, wait: NewWait): Param[] {
  const { runId, campaignId, userId, number, stepId, awaits, dueAt, course } = wait
  const userNo = getUserNo(context, environmentId, userId)
  return [runId, environmentId, campaignId, userNo, number, stepId, awaits, dueAt, dueAt, 0, 0, 0, course]
}
