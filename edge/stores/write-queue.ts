// Queues plans and writes for the writer: sends batches, limits the queue, and settles the promises of the callers.

import type { MailOutcome } from '../domain/mail/mail.ts'
import type { Commit, DeliveryOutcome, InboxOutcome, TrackOutcome } from '../domain/plan.ts'
import type { StoreWatch } from '../domain/stores.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { type AdaptiveBatchSize, createAdaptiveBatchSize } from './adaptive-batch-size.ts'
import {
  countUnits,
  createFairPlanQueue,
  estimateBytes,
  type FairPlanQueue,
  type Waiting,
  type WaitingPlan,
} from './fair-plan-queue.ts'
import type { Batch, BatchResult, Settled } from './sql/commit/run-batch.ts'
import type { Outcome, Plan } from './sql/commit.ts'
import type { NamedWrite } from './sql/writes.ts'

export interface QueueLimits {
  /** The maximum units of a batch: plans of one message; a larger plan counts as several. */
  batchPlans: number
  batchBytes: number
  /** How long plans collect while the writer is busy before the next batch is sent (ms). */
  gatherMs: number
  /** Batches sent and not settled: 1, or 2 for a writer that must never wait for this thread. */
  batchesUnderWay: number
  /** Limits of all pieces without a result. */
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
  /**
   * Commits a plan with the next batch.
   * @throws ApiError `service/unavailable` at once when the queue is full.
   */
  commit(plan: Plan): Promise<Outcome>
  write(write: NamedWrite): Promise<unknown>
  /** Settles the oldest batch that was sent, with its results. */
  settle(result: BatchResult): void
  /** Fails all waiting and future work: the writer has ended. */
  fail(error: Error): void
  /** @throws ApiError when the writer has ended. */
  check(): void
  backlog: Commit['backlog']
  /** Resolves when the queue is empty and all batches are settled. */
  drained(): Promise<void>
}

export interface QueueDeps {
  clock: Clock
  send(batch: Batch): void
  limits?: Partial<QueueLimits> | undefined
  /** Called for each settled batch. */
  onBatch?: StoreWatch['onBatch'] | undefined
}

type WaitingWrite = Waiting<NamedWrite, unknown>
interface UnderWay {
  plans: WaitingPlan[]
  writes: WaitingWrite[]
  /** When it was sent, on the process's monotonic clock (ms). */
  sentAt: number
}
interface Queue {
  deps: QueueDeps
  limits: QueueLimits
  waitingPlans: FairPlanQueue
  batchSize: AdaptiveBatchSize
  /** When the latest batch was settled, on the same clock as `sentAt`. */
  settledAt: number
  writes: WaitingWrite[]
  underWay: UnderWay[]
  kept: { plans: number; bytes: number }
  timer: NodeJS.Timeout | undefined
  immediate: NodeJS.Immediate | undefined
  failure: Error | undefined
  drainWaiters: (() => void)[]
}

/** Creates an empty queue; `deps.send` gets each batch, whose results come back through `settle`. */
export function createWriteQueue(deps: QueueDeps): WriteQueue {
  const queue: Queue = {
    deps,
    limits: { ...LIMITS, ...deps.limits },
    waitingPlans: createFairPlanQueue(),
    batchSize: createAdaptiveBatchSize(),
    settledAt: 0,
    writes: [],
    underWay: [],
    kept: { plans: 0, bytes: 0 },
    timer: undefined,
    immediate: undefined,
    failure: undefined,
    drainWaiters: [],
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
        queue.drainWaiters.push(resolve)
        resolveDrained(queue)
      }),
  }
}

async function addPlan(queue: Queue, piece: Plan): Promise<Outcome> {
  refuseWhen(queue, queue.kept.plans >= queue.limits.keptPlans || queue.kept.bytes >= queue.limits.keptBytes)
  const bytes = estimateBytes(piece)
  queue.kept.plans++
  queue.kept.bytes += bytes
  const since = performance.now()
  queue.batchSize.recordPlan(piece.environmentId, since)
  return new Promise((resolve, reject) => {
    queue.waitingPlans.add({ piece, bytes, units: countUnits(piece), since, resolve, reject })
    schedule(queue)
  })
}

async function addWrite(queue: Queue, piece: NamedWrite): Promise<unknown> {
  refuseWhen(queue, queue.writes.length >= queue.limits.waitingWrites)
  return new Promise((resolve, reject) => {
    queue.writes.push({ piece, bytes: 0, since: performance.now(), resolve, reject })
    schedule(queue)
  })
}

function refuseWhen(queue: Queue, full: boolean): void {
  if (full || queue.failure !== undefined) {
    throw new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause: queue.failure })
  }
}

/** Sends a batch at the end of this event-loop turn or, while the writer is busy, when enough work has collected. */
function schedule(queue: Queue): void {
  const waiting = queue.waitingPlans.size()
  if (waiting.plans + queue.writes.length === 0 || isWriterFull(queue)) return
  if (queue.underWay.length === 0) queue.immediate ??= setImmediate(sendBatch, queue)
  else if (waiting.units >= maxUnits(queue) || waiting.bytes >= queue.limits.batchBytes) sendBatch(queue)
  else queue.timer ??= setTimeout(sendBatch, queue.limits.gatherMs, queue)
}

function sendBatch(queue: Queue): void {
  clearTimeout(queue.timer)
  clearImmediate(queue.immediate)
  queue.timer = undefined
  queue.immediate = undefined
  if (queue.waitingPlans.size().plans + queue.writes.length === 0 || isWriterFull(queue)) return
  const batch = {
    plans: queue.waitingPlans.take({ units: maxUnits(queue), bytes: queue.limits.batchBytes }),
    writes: queue.writes,
    sentAt: performance.now(),
  }
  queue.writes = []
  queue.underWay.push(batch)
  send(queue, batch)
  schedule(queue)
}

function isWriterFull({ underWay, limits }: Queue): boolean {
  return underWay.length >= limits.batchesUnderWay
}

function maxUnits({ batchSize, limits }: Queue): number {
  return batchSize.maxUnits(limits.batchPlans, performance.now())
}

/** Rejects a batch that cannot be sent because it contains more than plain data: it must not block the others. */
function send(queue: Queue, batch: UnderWay): void {
  const now = queue.deps.clock.now()
  try {
    queue.deps.send({ plans: batch.plans.map(pieceOf), writes: batch.writes.map(pieceOf), now })
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    queue.underWay.pop()
    release(queue, batch.plans)
    for (const waiting of [...batch.plans, ...batch.writes]) waiting.reject(error)
    resolveDrained(queue)
  }
}

function pieceOf<Piece, Answer>(waiting: Waiting<Piece, Answer>): Piece {
  return waiting.piece
}

function settle(queue: Queue, result: BatchResult): void {
  const batch = queue.underWay.shift()
  if (batch === undefined) return
  const now = performance.now()
  const units = batch.plans.reduce((sum, plan) => sum + plan.units, 0)
  queue.batchSize.recordBatch(units, now - Math.max(batch.sentAt, queue.settledAt))
  queue.settledAt = now
  release(queue, batch.plans)
  reportBatch(queue, batch)
  // The next batch is sent first: the writer works on it while the callers get their results.
  if (queue.underWay.length === 0) sendBatch(queue)
  else schedule(queue)
  process.nextTick(() => {
    settleEach(batch.writes, result.writes)
    settleEach(batch.plans, result.plans)
    resolveDrained(queue)
  })
}

/** Reports the wait of the first plan: environments take turns, so no other plan waited much longer. */
function reportBatch({ deps }: Queue, { plans, sentAt }: UnderWay): void {
  if (deps.onBatch === undefined) return
  const waitedMs = Math.max(0, sentAt - (plans[0]?.since ?? sentAt))
  deps.onBatch({ plans: plans.length, waitedMs, tookMs: performance.now() - sentAt })
}

function fail(queue: Queue, error: Error): void {
  queue.failure = error
  const plans = [...queue.underWay.flatMap((batch) => batch.plans), ...queue.waitingPlans.takeAll()]
  const writes = [...queue.underWay.flatMap((batch) => batch.writes), ...queue.writes]
  queue.underWay = []
  queue.writes = []
  release(queue, plans)
  for (const waiting of [...plans, ...writes]) waiting.reject(error)
  resolveDrained(queue)
}

function release(queue: Queue, plans: WaitingPlan[]): void {
  queue.kept.plans -= plans.length
  for (const plan of plans) queue.kept.bytes -= plan.bytes
}

function resolveDrained(queue: Queue): void {
  if (queue.kept.plans + queue.writes.length + queue.underWay.length > 0) return
  for (const resolve of queue.drainWaiters) resolve()
  queue.drainWaiters = []
}

function oldestMs(queue: Queue): number {
  const fronts = [
    ...queue.waitingPlans.oldestPerEnvironment(),
    ...queue.underWay.flatMap((batch) => batch.plans[0]?.since ?? []),
  ]
  return fronts.length === 0 ? 0 : Math.max(0, performance.now() - Math.min(...fronts))
}

function settleEach<Answer>(waiting: Waiting<unknown, Answer>[], settled: Settled<Answer>[]): void {
  for (const [index, { resolve, reject }] of waiting.entries()) {
    const outcome = settled[index]
    if (outcome === undefined) reject(new Error('The writer returned no result for a piece of a batch.'))
    else if ('error' in outcome) reject(outcome.error)
    else resolve(outcome.value)
  }
}

/** Creates the commit port over the queue. The kind of a plan decides the kind of its outcome. */
export function createCommit(queue: WriteQueue): Commit {
  return {
    track: async (plan) => (await queue.commit(plan)) as TrackOutcome,
    deliver: async (plan) => (await queue.commit(plan)) as DeliveryOutcome,
    change: async (plan) => (await queue.commit(plan)) as InboxOutcome,
    mail: async (plan) => (await queue.commit(plan)) as MailOutcome,
    backlog: queue.backlog,
  }
}
