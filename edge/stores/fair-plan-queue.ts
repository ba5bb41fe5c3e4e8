// Queues plans per environment and takes them in turn (fair queuing), so that a busy environment delays no other.

import type { Outcome, Plan } from './sql/commit.ts'

/** A plan or write with the functions that settle the promise of its caller. */
export interface Waiting<Piece, Answer> {
  piece: Piece
  bytes: number
  /** Enqueue time on the process's monotonic clock (ms). */
  since: number
  resolve(answer: Answer): void
  reject(error: Error): void
}
export interface WaitingPlan extends Waiting<Plan, Outcome> {
  /** The cost for the writer, in plans of one message. */
  units: number
}

export interface FairPlanQueue {
  add(waiting: WaitingPlan): void
  /** Takes one unit of each environment in turn until the batch is full. The order within an environment stays. */
  take(limit: { units: number; bytes: number }): WaitingPlan[]
  takeAll(): WaitingPlan[]
  /** Returns the totals of all waiting plans. */
  size(): { plans: number; units: number; bytes: number }
  /** Returns the enqueue time of the oldest plan of each environment. */
  oldestPerEnvironment(): number[]
}

/** Creates an empty queue. */
export function createFairPlanQueue(): FairPlanQueue {
  const lanes = new Map<number, WaitingPlan[]>()
  let plans = 0
  let units = 0
  let bytes = 0

  /** Removes the first plans of a lane, and moves the lane to the end of the rotation. */
  function removeFirst(environmentId: number, count: number): void {
    const rest = lanes.get(environmentId)?.slice(count) ?? []
    lanes.delete(environmentId)
    if (rest.length > 0) lanes.set(environmentId, rest)
  }

  function take(limit: { units: number; bytes: number }): WaitingPlan[] {
    const taken: WaitingPlan[] = []
    const progress = new Map<number, { place: number; units: number }>()
    let takenUnits = 0
    let takenBytes = 0
    const isFull = () => takenUnits >= limit.units || takenBytes >= limit.bytes
    for (let turn = 0; taken.length < plans && !isFull(); ) {
      let nextTurn = Number.POSITIVE_INFINITY
      for (const [environmentId, lane] of lanes) {
        const own = progress.get(environmentId) ?? { place: 0, units: 0 }
        const waiting = lane[own.place]
        if (waiting === undefined) continue
        // A large plan uses several turns of its environment: the other environments go first.
        if (own.units <= turn) {
          own.place++
          own.units += waiting.units
          progress.set(environmentId, own)
          taken.push(waiting)
          takenUnits += waiting.units
          takenBytes += waiting.bytes
        }
        nextTurn = Math.min(nextTurn, own.units)
        if (isFull()) break
      }
      turn = nextTurn
    }
    plans -= taken.length
    units -= takenUnits
    bytes -= takenBytes
    for (const [environmentId, { place }] of progress) removeFirst(environmentId, place)
    return taken
  }

  return {
    add(waiting) {
      const lane = lanes.get(waiting.piece.environmentId)
      if (lane === undefined) lanes.set(waiting.piece.environmentId, [waiting])
      else lane.push(waiting)
      plans++
      units += waiting.units
      bytes += waiting.bytes
    },
    take,
    takeAll: () => take({ units: Infinity, bytes: Infinity }),
    size: () => ({ plans, units, bytes }),
    oldestPerEnvironment: () => [...lanes.values()].flatMap((lane) => lane[0]?.since ?? []),
  }
}

/** @returns The cost of the plan for the writer, in plans of one message; at least 1. */
export function countUnits(plan: Plan): number {
  if (plan.kind === 'mail') return 1
  if (plan.kind !== 'track') return Math.max(1, plan.items.length)
  return Math.max(1, plan.runs.length, plan.messages.length, plan.waits.length, plan.awaitedEvent?.runs ?? 0)
}

/** @returns The estimated bytes of a plan: its long texts and a constant for the rest. */
export function estimateBytes(plan: Plan): number {
  if (plan.kind === 'mail') return 500 + ('error' in plan.change ? (plan.change.error?.length ?? 0) : 0)
  if (plan.kind !== 'track') return 200 + plan.items.length * 200
  let bytes = 500 + (plan.event?.properties.length ?? 0) + (plan.event?.userIds?.length ?? 0)
  for (const run of plan.runs) bytes += 200 + run.trace.length
  for (const message of plan.messages) bytes += 300 + message.snapshot.length
  for (const wait of plan.waits) bytes += 200 + wait.runState.length
  if (plan.continues !== null) bytes += 300 + plan.continues.trace.length + (plan.continues.next?.runState.length ?? 0)
  for (const job of plan.jobs) bytes += 200 + job.payload.length
  return bytes
}
