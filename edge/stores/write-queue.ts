// What waits for the writer: plans in lanes by environment that take turns, other writes beside them, and the bounds of both (house section 3).

import type { Commit } from '../domain/plan.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Batch, BatchResult, Settled } from './sql/commit/run-batch.ts'
import type { Outcome, Plan } from './sql/commit.ts'
import type { NamedWrite } from './sql/stores.ts'

export interface QueueLimits {
  batchPlans: number
  batchBytes: number
  /** How long plans gather while the writer is busy before they are handed over behind its batch. */
  gatherMs: number
  waitingPlans: number
  waitingBytes: number
  waitingWrites: number
}
const LIMITS: QueueLimits = {
  batchPlans: 1000,
  batchBytes: 4 * 1024 * 1024,
  gatherMs: 5,
  waitingPlans: 20_000,
  waitingBytes: 64 * 1024 * 1024,
  waitingWrites: 5000,
}
/** One that runs and one behind it, so that the writer never waits for this thread. */
const BATCHES_UNDER_WAY = 2

interface Waiting<Piece, Answer> {
  piece: Piece
  bytes: number
  since: number
  resolve(answer: Answer): void
  reject(error: Error): void
}
type WaitingPlan = Waiting<Plan, Outcome>
type WaitingWrite = Waiting<NamedWrite, unknown>

export interface WriteQueue {
  /** Waits for the group commit. Throws `service/unavailable` at once when too much waits. */
  commit(plan: Plan): Promise<Outcome>
  write(write: NamedWrite): Promise<unknown>
  /** The results of the oldest batch under way. */
  settle(result: BatchResult): void
  /** The writer is gone: all that waits and all that comes fails. */
  fail(error: Error): void
  backlog: Commit['backlog']
  /** Resolves when nothing waits any more. */
  drained(): Promise<void>
}

export interface QueueDeps {
  clock: Clock
  send(batch: Batch): void
  limits?: Partial<QueueLimits>
}

export function createWriteQueue(deps: QueueDeps): WriteQueue {
  const limits = { ...LIMITS, ...deps.limits }
  const lanes = new Map<number, WaitingPlan[]>()
  const underWay: { plans: WaitingPlan[]; writes: WaitingWrite[] }[] = []
  let writes: WaitingWrite[] = []
  let waitingPlans = 0
  let waitingBytes = 0
  let keptPlans = 0
  let keptBytes = 0
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let failure: Error | undefined
  let drainers: (() => void)[] = []

  function refuseWhen(full: boolean): void {
    if (failure !== undefined) throw new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause: failure })
    if (full) throw new ApiError('service/unavailable', { retryAfterSeconds: 1 })
  }

  /** Hands over now, at the end of this turn of the loop, or when enough has gathered. */
  function consider(): void {
    if (waitingPlans + writes.length === 0 || underWay.length >= BATCHES_UNDER_WAY) return
    if (underWay.length === 0) immediate ??= setImmediate(handOver)
    else if (waitingPlans >= limits.batchPlans || waitingBytes >= limits.batchBytes) handOver()
    else timer ??= setTimeout(handOver, limits.gatherMs)
  }

  function handOver(): void {
    clearTimeout(timer)
    clearImmediate(immediate)
    timer = undefined
    immediate = undefined
    if (waitingPlans + writes.length === 0 || underWay.length >= BATCHES_UNDER_WAY) return
    const batch = { plans: takeTurns(), writes }
    writes = []
    underWay.push(batch)
    const pieces = {
      plans: batch.plans.map((waiting) => waiting.piece),
      writes: batch.writes.map((waiting) => waiting.piece),
    }
    deps.send({ ...pieces, now: deps.clock.now() })
    consider()
  }

  /** One plan of each environment in turn, until the batch is full; the order within an environment stays. */
  function takeTurns(): WaitingPlan[] {
    const taken: WaitingPlan[] = []
    const places = new Map<number, number>()
    let bytes = 0
    while (waitingPlans > 0 && taken.length < limits.batchPlans && bytes < limits.batchBytes) {
      for (const [environmentId, lane] of lanes) {
        const place = places.get(environmentId) ?? 0
        const waiting = lane[place]
        if (waiting === undefined) continue
        places.set(environmentId, place + 1)
        taken.push(waiting)
        bytes += waiting.bytes
        waitingPlans--
        waitingBytes -= waiting.bytes
        if (taken.length >= limits.batchPlans || bytes >= limits.batchBytes) break
      }
    }
    for (const [environmentId, place] of places) cutLane(environmentId, place)
    return taken
  }

  /** Takes the lane's front away and puts the lane at the end of the turns. */
  function cutLane(environmentId: number, place: number): void {
    const rest = lanes.get(environmentId)?.slice(place) ?? []
    lanes.delete(environmentId)
    if (rest.length > 0) lanes.set(environmentId, rest)
  }

  function release(plans: WaitingPlan[]): void {
    keptPlans -= plans.length
    for (const plan of plans) keptBytes -= plan.bytes
  }

  function tellDrained(): void {
    if (keptPlans + writes.length + underWay.length > 0) return
    for (const resolve of drainers) resolve()
    drainers = []
  }

  return {
    commit(plan) {
      refuseWhen(keptPlans >= limits.waitingPlans || keptBytes >= limits.waitingBytes)
      const bytes = sizeOf(plan)
      waitingPlans++
      waitingBytes += bytes
      keptPlans++
      keptBytes += bytes
      const lane = lanes.get(plan.environmentId) ?? []
      lanes.set(plan.environmentId, lane)
      return new Promise((resolve, reject) => {
        lane.push({ piece: plan, bytes, since: performance.now(), resolve, reject })
        consider()
      })
    },
    write(write) {
      refuseWhen(writes.length >= limits.waitingWrites)
      return new Promise((resolve, reject) => {
        writes.push({ piece: write, bytes: 0, since: performance.now(), resolve, reject })
        consider()
      })
    },
    settle(result) {
      const batch = underWay.shift()
      if (batch === undefined) return
      release(batch.plans)
      answerEach(batch.writes, result.writes)
      answerEach(batch.plans, result.plans)
      consider()
      tellDrained()
    },
    fail(error) {
      failure = error
      const plans = [...underWay.flatMap((batch) => batch.plans), ...[...lanes.values()].flat()]
      const all = [...underWay.flatMap((batch) => batch.writes), ...writes]
      lanes.clear()
      underWay.length = 0
      writes = []
      waitingPlans = 0
      waitingBytes = 0
      release(plans)
      for (const waiting of [...plans, ...all]) waiting.reject(error)
      tellDrained()
    },
    backlog() {
      const oldest = Math.min(
        ...[...lanes.values(), ...underWay.map((batch) => batch.plans)].map((plans) => plans[0]?.since ?? Infinity),
      )
      return { plans: keptPlans, oldestMs: Number.isFinite(oldest) ? Math.max(0, performance.now() - oldest) : 0 }
    },
    drained() {
      return new Promise((resolve) => {
        drainers.push(resolve)
        tellDrained()
      })
    },
  }
}

function answerEach<Answer>(waiting: Waiting<unknown, Answer>[], settled: Settled<Answer>[]): void {
  for (const [index, { resolve, reject }] of waiting.entries()) {
    const answer = settled[index]
    if (answer === undefined) reject(new Error('The writer left a piece of a batch without an answer.'))
    else if ('error' in answer) reject(answer.error)
    else resolve(answer.value)
  }
}

/** About what a plan weighs: its long texts and a share for the rest. */
function sizeOf(plan: Plan): number {
  if (plan.kind !== 'track') return 200 + plan.items.length * 200
  let bytes = 500 + (plan.event?.properties.length ?? 0) + (plan.event?.userIds?.length ?? 0)
  for (const run of plan.runs) bytes += 200 + run.trace.length
  for (const message of plan.messages) bytes += 300 + message.snapshot.length
  for (const job of plan.jobs) bytes += 200 + job.payload.length
  return bytes
}
