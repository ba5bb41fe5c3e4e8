// Waits of runs in the journey's transaction: taken by who carries a run on, and written for who is going to (contract section 6).

import type { TrackOutcome, TrackPlan } from '../../../domain/plan.ts'
import type { NewWait, RunContinuation } from '../../../domain/run/run-wait.ts'
import { insertRows, type Param, toFlag, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { getUserNo } from './recipients.ts'

const CLAIM = { run_id: 'int', fence: 'int', asks: 'int' } as const
/** In place of a fence: whatever the run waits for. */
const ANY_FENCE = -1

/** A run that goes on asks its campaign, here and nowhere else: what was planned before it was paused or archived is void behind that. */
const isClaimed = (wait: string) => `(given.fence = ${ANY_FENCE} OR ${wait}.fence = given.fence) AND (given.asks = 0
  OR NOT EXISTS (SELECT 1 FROM campaign c WHERE c.id = ${wait}.campaign_id AND (c.status = 'paused' OR (c.status = 'archived' AND c.drains = 0))))`
/** By its fence, too: who had to wait for another node that woke the run meets the row as that left it, under another fence, and must leave it. */
const END_WAITS = withRows(
  CLAIM,
  `DELETE FROM run_wait WHERE (run_id, fence) IN (SELECT w.run_id, w.fence FROM given JOIN run_wait w ON w.run_id = given.run_id
    WHERE ${isClaimed('w')}) RETURNING run_id, fence`,
)
/** Those that are claimed as before, and were not taken: their campaign halted them. */
const FIND_HALTED = withRows(
  { run_id: 'int', fence: 'int' },
  'SELECT w.run_id FROM given CROSS JOIN run_wait w WHERE w.run_id = given.run_id AND w.fence = given.fence',
)
/** Held before the waits, in one order: who pauses or archives waits for these runs, or they find it done. */
const HOLD_CAMPAIGNS = withRows(
  { id: 'int' },
  'SELECT c.id FROM campaign c WHERE c.id IN (SELECT id FROM given) ORDER BY c.id FOR SHARE',
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
    FROM given WHERE run_wait.run_id = given.run_id AND ${isClaimed('run_wait')}
    RETURNING run_wait.run_id, run_wait.fence - 1 AS fence`,
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

/** Ends or moves the waits that plans carry on; a plan whose run no longer waits under its claim, or whose campaign is halted, is refused. In the order of the runs, as every node takes them. */
export async function refuseEnded(
  context: WriteContext,
  plans: TrackPlan[],
  refused: Map<TrackPlan, TrackOutcome>,
): Promise<void> {
  const carried: Carried[] = []
  for (const plan of plans) {
    if (plan.continues !== null && !refused.has(plan)) carried.push({ plan, continues: plan.continues })
  }
  if (carried.length === 0) return
  carried.sort((a, b) => a.continues.claim.runId - b.continues.claim.runId)
  await holdCampaigns(context, carried)
  const taken = new Set<string>()
  const ends = carried.filter(({ continues }) => continues.next === null)
  const moves = carried.flatMap(({ continues }) =>
    continues.next === null ? [] : [moveRow(continues, continues.next)],
  )
  for (const [statement, rows] of [
    [END_WAITS, ends.map(({ continues }) => claimRow(continues))],
    [MOVE_WAITS, moves],
  ] as const) {
    const done = rows.length === 0 ? [] : await context.sql.bulk<{ run_id: number; fence: number }>(statement, rows)
    for (const { run_id: runId, fence } of done) taken.add(keyOf({ runId, fence }))
  }
  const looked = carried.flatMap(({ continues: { claim, dropsArrivals } }) =>
    dropsArrivals === true && taken.has(keyOf(claim)) ? [[claim.runId]] : [],
  )
  if (looked.length > 0) await context.sql.bulk(DROP_ARRIVALS, looked)
  // Taken out once: of two plans under the same claim the second one comes too late. One under an older claim may stand before
  // the one that holds, when an event woke the run while it waited for its commit: the row that is gone was not its own.
  const late = carried.filter(({ continues }) => !taken.delete(keyOf(continues.claim)))
  const halted = await findHalted(context, late)
  for (const { plan, continues } of late) {
    refused.set(plan, { result: halted.has(continues) ? 'halted' : 'not-waiting' })
  }
}

const keyOf = ({ runId, fence }: RunContinuation['claim']): string => `${runId}:${fence}`

interface Carried {
  plan: TrackPlan
  continues: RunContinuation
}

/** Nothing where one writer stands alone. */
async function holdCampaigns({ sql }: WriteContext, carried: Carried[]): Promise<void> {
  if (sql.forUpdate === '') return
  const ids = new Set(carried.flatMap(({ continues }) => continues.asksCampaign ?? []))
  if (ids.size > 0)
    await sql.bulk(
      HOLD_CAMPAIGNS,
      [...ids].map((id) => [id]),
    )
}

async function findHalted({ sql }: WriteContext, late: Carried[]): Promise<ReadonlySet<RunContinuation>> {
  const asking = late.flatMap(({ continues }) => (continues.asksCampaign === undefined ? [] : [continues]))
  if (asking.length === 0) return new Set()
  const rows = await sql.bulk<{ run_id: number }>(
    FIND_HALTED,
    asking.map(({ claim: { runId, fence } }) => [runId, fence]),
  )
  const found = new Set(rows.map((row) => row.run_id))
  return new Set(asking.filter(({ claim }) => found.has(claim.runId)))
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
    const claims = ended.map(({ continues }) => [continues?.claim.runId ?? 0, ANY_FENCE, 0])
    await sql.bulk(END_WAITS, claims)
  }
  const runs = plans.flatMap((plan) => (plan.continues === null ? [] : [runRow(plan, plan.continues)]))
  if (runs.length > 0) await sql.bulk(UPDATE_RUNS, runs)
  const waits = plans.flatMap((plan) => plan.waits.map((wait) => waitRow(context, plan.environmentId, wait)))
  if (waits.length > 0) await sql.bulk(INSERT_WAITS, waits)
}

const DROP_ARRIVALS = withRows({ run_id: 'int' }, 'DELETE FROM run_arrival WHERE run_id IN (SELECT run_id FROM given)')

function claimRow({ claim, asksCampaign }: RunContinuation): Param[] {
  return [claim.runId, claim.fence, toFlag(asksCampaign !== undefined)]
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
