// What waits for the writer: when a batch is handed over, how much may wait, and who gets which answer (house section 3).

import type { Commit, DeliveryOutcome, InboxOutcome, TrackOutcome } from '../domain/plan.ts'
import type { StoreWatch } from '../domain/stores.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { type BatchPace, createBatchPace } from './batch-pace.ts'
import { createPlanLanes, type PlanLanes, type Waiting, type WaitingPlan, weigh } from './plan-lanes.ts'
import type { Batch, BatchResult, Settled } from './sql/commit/run-batch.ts'
import type { Outcome, Plan } from './sql/commit.ts'
import type { NamedWrite } from './sql/stores.ts'

export interface QueueLimits {
  batchPlans: number
  batchBytes: number
  /** How long plans gather while the writer is busy before they are handed over behind its batch. */
  gatherMs: number
  /** Handed over and not settled: 1, or 2 for a writer that is never to wait for this thread. */
  batchesUnderWay: number
  /** All that have no answer yet. */
  keptPlans: number
  keptBytes: number
  waitingWrites: number
}
const LIMITS: QueueLimits = {
  batchPlans: 1000,
  batchBytes: 4 * 1024 * 1024,
  gatherMs: 5,
  batchesUnderWay: 2,
  keptPlans: 20_000,
  keptBytes: 64 * 1024 * 1024,
  waitingWrites: 5000,
}

export interface WriteQueue {
  /** Waits for the group commit. Throws `service/unavailable` at once when too much waits. */
  commit(plan: Plan): Promise<Outcome>
  write(write: NamedWrite): Promise<unknown>
  /** The results of the oldest batch under way. */
  settle(result: BatchResult): void
  /** The writer is gone: all that waits and all that comes fails. */
  fail(error: Error): void
  /** Throws when the writer is gone. */
  check(): void
  backlog: Commit['backlog']
  /** Resolves when nothing waits any more. */
  drained(): Promise<void>
}

export interface QueueDeps {
  clock: Clock
  send(batch: Batch): void
  limits?: Partial<QueueLimits> | undefined
  /** Told of each batch that has its answers. */
  onBatch?: StoreWatch['onBatch'] | undefined
}

type WaitingWrite = Waiting<NamedWrite, unknown>
interface UnderWay {
  plans: WaitingPlan[]
  writes: WaitingWrite[]
  /** When it was handed over, by the process's monotonic clock (ms). */
  sentAt: number
}
interface Queue {
  deps: QueueDeps
  limits: QueueLimits
  lanes: PlanLanes
  pace: BatchPace
  /** When the latest batch was settled, by the same clock as `sentAt`. */
  settledAt: number
  writes: WaitingWrite[]
  underWay: UnderWay[]
  kept: { plans: number; bytes: number }
  timer: NodeJS.Timeout | undefined
  immediate: NodeJS.Immediate | undefined
  failure: Error | undefined
  drainers: (() => void)[]
}

export function createWriteQueue(deps: QueueDeps): WriteQueue {
  const queue: Queue = {
    deps,
    limits: { ...LIMITS, ...deps.limits },
    lanes: createPlanLanes(),
    pace: createBatchPace(),
    settledAt: 0,
    writes: [],
    underWay: [],
    kept: { plans: 0, bytes: 0 },
    timer: undefined,
    immediate: undefined,
    failure: undefined,
    drainers: [],
  }
  return {
    commit: (plan) => addPlan(queue, plan),
    write: (write) => addWrite(queue, write),
    settle: (result) => settle(queue, result),
    fail: (error) => fail(queue, error),
    check: () => refuseWhen(queue, false),
    backlog: () => ({ plans: queue.kept.plans, oldestMs: oldestMs(queue) }),
    drained: () =>
      new Promise((resolve) => {
        queue.drainers.push(resolve)
        tellDrained(queue)
      }),
  }
}

async function addPlan(queue: Queue, piece: Plan): Promise<Outcome> {
  refuseWhen(queue, queue.kept.plans >= queue.limits.keptPlans || queue.kept.bytes >= queue.limits.keptBytes)
  const bytes = weigh(piece)
  queue.kept.plans++
  queue.kept.bytes += bytes
  const since = performance.now()
  queue.pace.note(piece.environmentId, since)
  return new Promise((resolve, reject) => {
    queue.lanes.add({ piece, bytes, since, resolve, reject })
    consider(queue)
  })
}

async function addWrite(queue: Queue, piece: NamedWrite): Promise<unknown> {
  refuseWhen(queue, queue.writes.length >= queue.limits.waitingWrites)
  return new Promise((resolve, reject) => {
    queue.writes.push({ piece, bytes: 0, since: performance.now(), resolve, reject })
    consider(queue)
  })
}

function refuseWhen(queue: Queue, full: boolean): void {
  if (full || queue.failure !== undefined) {
    throw new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause: queue.failure })
  }
}

/** Hands over at the end of this turn of the loop or, while the writer is busy, when enough has gathered. */
function consider(queue: Queue): void {
  const waiting = queue.lanes.size()
  if (waiting.plans + queue.writes.length === 0 || isTaken(queue)) return
  if (queue.underWay.length === 0) queue.immediate ??= setImmediate(handOver, queue)
  else if (waiting.plans >= mostPlans(queue) || waiting.bytes >= queue.limits.batchBytes) handOver(queue)
  else queue.timer ??= setTimeout(handOver, queue.limits.gatherMs, queue)
}

function handOver(queue: Queue): void {
  clearTimeout(queue.timer)
  clearImmediate(queue.immediate)
  queue.timer = undefined
  queue.immediate = undefined
  if (queue.lanes.size().plans + queue.writes.length === 0 || isTaken(queue)) return
  const batch = {
    plans: queue.lanes.take({ plans: mostPlans(queue), bytes: queue.limits.batchBytes }),
    writes: queue.writes,
    sentAt: performance.now(),
  }
  queue.writes = []
  queue.underWay.push(batch)
  send(queue, batch)
  consider(queue)
}

function isTaken({ underWay, limits }: Queue): boolean {
  return underWay.length >= limits.batchesUnderWay
}

function mostPlans({ pace, limits }: Queue): number {
  return pace.most(limits.batchPlans, performance.now())
}

/** What cannot be handed over (it holds more than plain data) is a defect of its caller, and must not hang the others. */
function send(queue: Queue, batch: UnderWay): void {
  const now = queue.deps.clock.now()
  try {
    queue.deps.send({ plans: batch.plans.map(pieceOf), writes: batch.writes.map(pieceOf), now })
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    queue.underWay.pop()
    release(queue, batch.plans)
    for (const waiting of [...batch.plans, ...batch.writes]) waiting.reject(error)
    tellDrained(queue)
  }
}

function pieceOf<Piece, Answer>(waiting: Waiting<Piece, Answer>): Piece {
  return waiting.piece
}

function settle(queue: Queue, result: BatchResult): void {
  const batch = queue.underWay.shift()
  if (batch === undefined) return
  const now = performance.now()
  queue.pace.settled(batch.plans.length, now - Math.max(batch.sentAt, queue.settledAt))
  queue.settledAt = now
  release(queue, batch.plans)
  tellBatch(queue, batch)
  // The writer first: it works on what waits while the answers go out.
  if (queue.underWay.length === 0) handOver(queue)
  else consider(queue)
  process.nextTick(() => {
    answerEach(batch.writes, result.writes)
    answerEach(batch.plans, result.plans)
    tellDrained(queue)
  })
}

/** The first plan stands for the batch: lanes take turns, so none of another lane has waited much longer. */
function tellBatch({ deps }: Queue, { plans, sentAt }: UnderWay): void {
  if (deps.onBatch === undefined) return
  const waitedMs = Math.max(0, sentAt - (plans[0]?.since ?? sentAt))
  deps.onBatch({ plans: plans.length, waitedMs, tookMs: performance.now() - sentAt })
}

function fail(queue: Queue, error: Error): void {
  queue.failure = error
  const plans = [...queue.underWay.flatMap((batch) => batch.plans), ...queue.lanes.takeAll()]
  const writes = [...queue.underWay.flatMap((batch) => batch.writes), ...queue.writes]
  queue.underWay = []
  queue.writes = []
  release(queue, plans)
  for (const waiting of [...plans, ...writes]) waiting.reject(error)
  tellDrained(queue)
}

function release(queue: Queue, plans: WaitingPlan[]): void {
  queue.kept.plans -= plans.length
  for (const plan of plans) queue.kept.bytes -= plan.bytes
}

function tellDrained(queue: Queue): void {
  if (queue.kept.plans + queue.writes.length + queue.underWay.length > 0) return
  for (const resolve of queue.drainers) resolve()
  queue.drainers = []
}

function oldestMs(queue: Queue): number {
  const fronts = [...queue.lanes.fronts(), ...queue.underWay.flatMap((batch) => batch.plans[0]?.since ?? [])]
  return fronts.length === 0 ? 0 : Math.max(0, performance.now() - Math.min(...fronts))
}

function answerEach<Answer>(waiting: Waiting<unknown, Answer>[], settled: Settled<Answer>[]): void {
  for (const [index, { resolve, reject }] of waiting.entries()) {
    const answer = settled[index]
    if (answer === undefined) reject(new Error('The writer left a piece of a batch without an answer.'))
    else if ('error' in answer) reject(answer.error)
    else resolve(answer.value)
  }
}

/** The port over the queue. The kind of a plan decides the kind of its outcome: `commitBatch` answers each plan by its kind. */
export function createCommit(queue: WriteQueue): Commit {
  return {
    track: async (plan) => (await queue.commit(plan)) as TrackOutcome,
    deliver: async (plan) => (await queue.commit(plan)) as DeliveryOutcome,
    change: async (plan) => (await queue.commit(plan)) as InboxOutcome,
    backlog: queue.backlog,
  }
}
