// Writes the waits of runs in the commit transaction: inserts those of new runs, and moves or deletes the others.

import type { TrackOutcome, TrackPlan } from '../../../domain/plan.ts'
import type { NewWait, RunContinuation } from '../../../domain/run/run-wait.ts'
import { RUN, RUN_WAIT } from '../../tables/run.ts'
import { insertPlanned, setGiven, valuesOf } from '../../tables/table.ts'
import { readCountedRuns } from '../counted-runs.ts'
import { type Param, type Sql, toFlag, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { getUserNo } from './recipients.ts'
import type { StepTally } from './step-tally.ts'

const CLAIM = { environment_id: 'int', run_id: 'int', fence: 'int', checks: 'int' } as const
/** A value for `fence` that matches any wait of the run. */
const ANY_FENCE = -1

/**
 * Compares the fence. With `checks` it also refuses paused and archived campaigns: the plan may be older than that.
 */
const isClaimed = (wait: string) => `(given.fence = ${ANY_FENCE} OR ${wait}.fence = given.fence) AND (given.checks = 0
  OR NOT EXISTS (SELECT 1 FROM campaign c WHERE c.environment_id = ${wait}.environment_id
    AND c.id = ${wait}.campaign_id AND (c.status = 'paused' OR (c.status = 'archived' AND c.drains = 0))))`
/** Selects by fence as well: a node may resume the run meanwhile, and then the row must stay. */
const END_WAITS = withRows(
  CLAIM,
  `DELETE FROM run_wait WHERE (environment_id, run_id, fence) IN (SELECT w.environment_id, w.run_id, w.fence FROM given
    JOIN run_wait w ON w.environment_id = given.environment_id AND w.run_id = given.run_id WHERE ${isClaimed('w')}) RETURNING run_id, fence`,
)
/** Finds late waits whose claim is still valid: they were refused because of their campaign. */
const FIND_HALTED = withRows(
  { environment_id: 'int', run_id: 'int', fence: 'int' },
  `SELECT w.run_id FROM given CROSS JOIN run_wait w
    WHERE w.environment_id = given.environment_id AND w.run_id = given.run_id AND w.fence = given.fence`,
)
/** Locks the campaigns before the waits, in one order. A pause or archive is visible here, or waits for this batch. */
const LOCK_CAMPAIGNS = withRows(
  { environment_id: 'int', id: 'int' },
  'SELECT c.id FROM campaign c WHERE (c.environment_id, c.id) IN (SELECT environment_id, id FROM given) ORDER BY c.id FOR SHARE',
)
/** A moved wait keeps its row. So a concurrent erasure or cancellation waits for it, and finds the next wait. */
const MOVED = ['number', 'stepId', 'awaits', 'dueAt', 'runState'] as const
const IS_GIVEN = 'run_wait.environment_id = given.environment_id AND run_wait.run_id = given.run_id'
const MOVED_VALUES = valuesOf(RUN_WAIT, MOVED)
const MOVE_WAITS = withRows(
  { ...CLAIM, ...MOVED_VALUES.columns },
  `UPDATE run_wait SET ${setGiven(RUN_WAIT, MOVED)}, due_at = given.timer_at, attempts = 0, parked = 0,
    fence = run_wait.fence + 1, error = NULL, crashes = 0
    FROM given WHERE ${IS_GIVEN} AND ${isClaimed('run_wait')}
    RETURNING run_wait.run_id, run_wait.fence - 1 AS fence`,
)
/** The wait of a run that was given up stays, so that the run can be run again. */
const GIVE_UP_WAITS = withRows(
  { ...CLAIM, now: 'int', error: 'text' },
  `UPDATE run_wait SET due_at = NULL, given_up_at = given.now, error = given.error, fence = run_wait.fence + 1
    FROM given WHERE ${IS_GIVEN} AND ${isClaimed('run_wait')}
    RETURNING run_wait.run_id, run_wait.fence - 1 AS fence`,
)
const INSERT_WAITS = insertPlanned(RUN_WAIT)
const CONTINUED = ['branch', 'state', 'stateReason', 'endedAt', 'trace'] as const
const CONTINUED_VALUES = valuesOf(RUN, ['environmentId', 'id', ...CONTINUED, 'hasMessage'])
const UPDATE_RUNS = withRows(
  CONTINUED_VALUES.columns,
  `UPDATE run SET ${setGiven(RUN, CONTINUED)},
    has_message = CASE WHEN given.has_message = 1 THEN 1 ELSE run.has_message END
    FROM given WHERE run.environment_id = given.environment_id AND run.id = given.id`,
)

/**
 * Deletes or moves the waits of continued runs, in the order of the run ids on all nodes. Refuses a plan whose claim is
 * no longer valid, or whose campaign is halted.
 */
export async function refuseEnded(
  context: WriteContext,
  plans: TrackPlan[],
  refused: Map<TrackPlan, TrackOutcome>,
): Promise<void> {
  const continued: ContinuedPlan[] = []
  for (const plan of plans) {
    if (plan.continues !== null && !refused.has(plan)) continued.push({ plan, continues: plan.continues })
  }
  if (continued.length === 0) return
  continued.sort((a, b) => a.continues.claim.runId - b.continues.claim.runId)
  await lockCampaigns(context, continued)
  const taken = new Set<string>()
  const ends = continued.filter(({ continues }) => continues.next === null && continues.givenUp === undefined)
  const givenUp = continued.flatMap(({ plan, continues }) =>
    continues.givenUp === undefined ? [] : [[...claimRow(plan, continues), plan.now, continues.givenUp]],
  )
  const moves = continued.flatMap(({ plan, continues }) =>
    continues.next === null ? [] : [moveRow(plan, continues, continues.next)],
  )
  for (const [statement, rows] of [
    [END_WAITS, ends.map(({ plan, continues }) => claimRow(plan, continues))],
    [MOVE_WAITS, moves],
    [GIVE_UP_WAITS, givenUp],
  ] as const) {
    const done = rows.length === 0 ? [] : await context.sql.bulk<{ run_id: number; fence: number }>(statement, rows)
    for (const { run_id: runId, fence } of done) taken.add(keyOf({ runId, fence }))
  }
  const ofArrivals = continued.flatMap(({ plan, continues: { claim, dropsArrivals } }) =>
    dropsArrivals === true && taken.has(keyOf(claim)) ? [[plan.environmentId, claim.runId]] : [],
  )
  if (ofArrivals.length > 0) await context.sql.bulk(DROP_ARRIVALS, ofArrivals)
  // Each key is deleted once: of two plans under the same claim the second is late. Keys contain the fence, so a plan
  // under an older claim is late as well.
  const late = continued.filter(({ continues }) => !taken.delete(keyOf(continues.claim)))
  const halted = await findHalted(context, late)
  for (const { plan, continues } of late) {
    refused.set(plan, { result: halted.has(continues) ? 'halted' : 'not-waiting' })
  }
}

const keyOf = ({ runId, fence }: RunContinuation['claim']): string => `${runId}:${fence}`

interface ContinuedPlan {
  plan: TrackPlan
  continues: RunContinuation
}

/** Locks the campaigns that the plans check; does nothing on SQLite, which has one writer. */
async function lockCampaigns({ sql }: WriteContext, continued: ContinuedPlan[]): Promise<void> {
  if (sql.forUpdate === '') return
  const environments = new Map<number, number>()
  for (const { plan, continues } of continued) {
    if (continues.checksCampaign !== undefined) environments.set(continues.checksCampaign, plan.environmentId)
  }
  const keys = [...environments].map(([id, environmentId]) => [environmentId, id])
  if (keys.length > 0) await sql.bulk(LOCK_CAMPAIGNS, keys)
}

async function findHalted({ sql }: WriteContext, late: ContinuedPlan[]): Promise<ReadonlySet<RunContinuation>> {
  const checking = late.filter(({ continues }) => continues.checksCampaign !== undefined)
  if (checking.length === 0) return new Set()
  const rows = await sql.bulk<{ run_id: number }>(
    FIND_HALTED,
    checking.map(({ plan, continues: { claim } }) => [plan.environmentId, claim.runId, claim.fence]),
  )
  const found = new Set(rows.map((row) => row.run_id))
  return new Set(checking.flatMap(({ continues }) => (found.has(continues.claim.runId) ? [continues] : [])))
}

/** Writes the state of continued runs and the waits of new runs. `planOf` returns the plan after its gates. */
export async function writeWaits(
  context: WriteContext,
  admitted: TrackPlan[],
  planOf: (plan: TrackPlan) => TrackPlan,
  steps: StepTally,
): Promise<void> {
  const { sql } = context
  const plans = admitted.map(planOf)
  // The wait was moved before the gates were decided.
  const ended = admitted.filter((plan) => plan.continues?.next && planOf(plan).continues?.next === null)
  if (ended.length > 0) {
    const claims = ended.map(({ environmentId, continues }) => [
      environmentId,
      continues?.claim.runId ?? 0,
      ANY_FENCE,
      0,
    ])
    await sql.bulk(END_WAITS, claims)
  }
  const runs = plans.flatMap((plan) => (plan.continues === null ? [] : [runRow(plan, plan.continues)]))
  if (runs.length > 0) {
    await countContinued(sql, plans, steps)
    await sql.bulk(UPDATE_RUNS, runs)
  }
  const waits = plans.flatMap((plan) => plan.waits.map((wait) => waitRow(context, plan.environmentId, wait)))
  if (waits.length > 0) await INSERT_WAITS.write(sql, waits)
}

/** Takes back what each run counted, and counts what it is now. Its wait is locked. */
async function countContinued(sql: Sql, plans: TrackPlan[], steps: StepTally): Promise<void> {
  const continued = new Map(
    plans.flatMap(({ continues }) => (continues === null ? [] : [[continues.claim.runId, continues]])),
  )
  const keys = plans.flatMap(({ environmentId, continues }) =>
    continues === null ? [] : [[environmentId, continues.claim.runId]],
  )
  for (const run of await readCountedRuns(sql, keys)) {
    steps.countRun(run.environmentId, run, -1)
    const { state, trace } = continued.get(run.id) ?? run
    steps.countRun(run.environmentId, { ...run, state, trace }, 1)
  }
}

const DROP_ARRIVALS = withRows(
  { environment_id: 'int', run_id: 'int' },
  'DELETE FROM run_arrival WHERE (environment_id, run_id) IN (SELECT environment_id, run_id FROM given)',
)

function claimRow({ environmentId }: TrackPlan, { claim, checksCampaign }: RunContinuation): Param[] {
  return [environmentId, claim.runId, claim.fence, toFlag(checksCampaign !== undefined)]
}

function moveRow(plan: TrackPlan, continues: RunContinuation, next: NewWait): Param[] {
  return [...claimRow(plan, continues), ...MOVED_VALUES.toParams(next)]
}

function runRow(plan: TrackPlan, continues: RunContinuation): Param[] {
  const hasMessage = plan.messages.length > 0
  return CONTINUED_VALUES.toParams({
    ...continues,
    environmentId: plan.environmentId,
    id: continues.claim.runId,
    hasMessage,
  })
}

function waitRow(context: WriteContext, environmentId: number, wait: NewWait) {
  const userNo = getUserNo(context, environmentId, wait.userId)
  const unclaimed = {
    claimableAt: wait.dueAt,
    attempts: 0,
    fence: 0,
    wasParked: false,
    error: null,
    crashes: 0,
    givenUpAt: null,
  }
  return [wait, { environmentId, userNo, ...unclaimed }] as const
}
