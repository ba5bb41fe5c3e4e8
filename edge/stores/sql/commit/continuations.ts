// Writes the waits of runs in the commit transaction: ends or moves those of continued runs, and inserts those of new
// runs.

import type { TrackOutcome, TrackPlan } from '../../../domain/plan.ts'
import type { NewWait, RunContinuation } from '../../../domain/run/run-wait.ts'
import { RUN, RUN_WAIT } from '../../tables/run.ts'
import { insertPlanned, setGiven, valuesOf } from '../../tables/table.ts'
import { type Param, toFlag, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { getUserNo } from './recipients.ts'

const CLAIM = { run_id: 'int', fence: 'int', asks: 'int' } as const
/** Replaces a fence: matches any wait of the run. */
const ANY_FENCE = -1

/**
 * Checks the campaign of a continued run here only: a plan made before its campaign was paused or archived must not
 * take effect.
 */
const isClaimed = (wait: string) => `(given.fence = ${ANY_FENCE} OR ${wait}.fence = given.fence) AND (given.asks = 0
  OR NOT EXISTS (SELECT 1 FROM campaign c WHERE c.id = ${wait}.campaign_id AND (c.status = 'paused' OR (c.status = 'archived' AND c.drains = 0))))`
/** Compares the fence, too: after waiting for a node that resumed the run, the row has a new fence and must stay. */
const END_WAITS = withRows(
  CLAIM,
  `DELETE FROM run_wait WHERE (run_id, fence) IN (SELECT w.run_id, w.fence FROM given JOIN run_wait w ON w.run_id = given.run_id
    WHERE ${isClaimed('w')}) RETURNING run_id, fence`,
)
/** Finds waits that are still claimed but were not taken: their campaign halted them. */
const FIND_HALTED = withRows(
  { run_id: 'int', fence: 'int' },
  'SELECT w.run_id FROM given CROSS JOIN run_wait w WHERE w.run_id = given.run_id AND w.fence = given.fence',
)
/** Locks the campaigns before the waits, in one order: a pause or an archive waits for these runs, or they see it. */
const HOLD_CAMPAIGNS = withRows(
  { id: 'int' },
  'SELECT c.id FROM campaign c WHERE c.id IN (SELECT id FROM given) ORDER BY c.id FOR SHARE',
)
/** Updates the row in place: a concurrent erasure or cancellation waits for it, and finds the next wait. */
const MOVED = ['number', 'stepId', 'awaits', 'dueAt', 'runState'] as const
const MOVED_VALUES = valuesOf(RUN_WAIT, MOVED)
const MOVE_WAITS = withRows(
  { ...CLAIM, ...MOVED_VALUES.columns },
  `UPDATE run_wait SET ${setGiven(RUN_WAIT, MOVED)}, due_at = given.timer_at, attempts = 0, parked = 0,
    fence = run_wait.fence + 1, error = NULL
    FROM given WHERE run_wait.run_id = given.run_id AND ${isClaimed('run_wait')}
    RETURNING run_wait.run_id, run_wait.fence - 1 AS fence`,
)
const INSERT_WAITS = insertPlanned(RUN_WAIT)
const CONTINUED = ['branch', 'state', 'stateReason', 'endedAt', 'trace'] as const
const CONTINUED_VALUES = valuesOf(RUN, ['id', ...CONTINUED, 'hasMessage'])
const UPDATE_RUNS = withRows(
  CONTINUED_VALUES.columns,
  `UPDATE run SET ${setGiven(RUN, CONTINUED)},
    has_message = CASE WHEN given.has_message = 1 THEN 1 ELSE run.has_message END FROM given WHERE run.id = given.id`,
)

/**
 * Ends or moves the waits of continued runs, in the order of the run ids as every node does. Refuses a plan whose run
 * no longer waits under its claim, or whose campaign is halted.
 */
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
  // Deleted once: of two plans under the same claim the second is late. A plan under an older claim may come before
  // the valid one, when an event resumed the run meanwhile: the deleted row was not its own.
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

/** Does nothing on SQLite, which has one writer. */
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

/** Writes the state of continued runs and the waits of new runs. `planOf`: the plan after its gates. */
export async function writeWaits(
  context: WriteContext,
  admitted: TrackPlan[],
  planOf: (plan: TrackPlan) => TrackPlan,
): Promise<void> {
  const { sql } = context
  const plans = admitted.map(planOf)
  // The wait was moved before the gates were decided.
  const ended = admitted.filter((plan) => plan.continues?.next && planOf(plan).continues?.next === null)
  if (ended.length > 0) {
    const claims = ended.map(({ continues }) => [continues?.claim.runId ?? 0, ANY_FENCE, 0])
    await sql.bulk(END_WAITS, claims)
  }
  const runs = plans.flatMap((plan) => (plan.continues === null ? [] : [runRow(plan, plan.continues)]))
  if (runs.length > 0) await sql.bulk(UPDATE_RUNS, runs)
  const waits = plans.flatMap((plan) => plan.waits.map((wait) => waitRow(context, plan.environmentId, wait)))
  if (waits.length > 0) await INSERT_WAITS.write(sql, waits)
}

const DROP_ARRIVALS = withRows({ run_id: 'int' }, 'DELETE FROM run_arrival WHERE run_id IN (SELECT run_id FROM given)')

function claimRow({ claim, asksCampaign }: RunContinuation): Param[] {
  return [claim.runId, claim.fence, toFlag(asksCampaign !== undefined)]
}

function moveRow(continues: RunContinuation, next: NewWait): Param[] {
  return [...claimRow(continues), ...MOVED_VALUES.toParams(next)]
}

function runRow(plan: TrackPlan, continues: RunContinuation): Param[] {
  const hasMessage = plan.messages.length > 0
  return CONTINUED_VALUES.toParams({ ...continues, id: continues.claim.runId, hasMessage })
}

function waitRow(context: WriteContext, environmentId: number, wait: NewWait) {
  const userNo = getUserNo(context, environmentId, wait.userId)
  const unclaimed = { claimableAt: wait.dueAt, attempts: 0, fence: 0, wasParked: false, error: null }
  return [wait, { environmentId, userNo, ...unclaimed }] as const
}
