// Plans that wait for the writer, in a lane for each environment; lanes take turns, so that a busy one delays no other (house section 3).

import type { Outcome, Plan } from './sql/commit.ts'

/** A piece of work with the caller that waits for its answer. */
export interface Waiting<Piece, Answer> {
  piece: Piece
  bytes: number
  /** By the process's monotonic clock (ms). */
  since: number
  resolve(answer: Answer): void
  reject(error: Error): void
}
export type WaitingPlan = Waiting<Plan, Outcome>

export interface PlanLanes {
  add(waiting: WaitingPlan): void
  /** One plan of each environment in turn, until a batch is full; the order within an environment stays. */
  take(most: { plans: number; bytes: number }): WaitingPlan[]
  takeAll(): WaitingPlan[]
  /** Plans and bytes that wait. */
  size(): { plans: number; bytes: number }
  /** Since when the first of each lane has waited. */
  fronts(): number[]
}

export function createPlanLanes(): PlanLanes {
  const lanes = new Map<number, WaitingPlan[]>()
  let plans = 0
  let bytes = 0

  /** Takes away the front of a lane, and puts the lane at the end of the turns. */
  function cut(environmentId: number, place: number): void {
    const rest = lanes.get(environmentId)?.slice(place) ?? []
    lanes.delete(environmentId)
    if (rest.length > 0) lanes.set(environmentId, rest)
  }

  function take(most: { plans: number; bytes: number }): WaitingPlan[] {
    const taken: WaitingPlan[] = []
    const places = new Map<number, number>()
    let takenBytes = 0
    const isFull = () => taken.length >= most.plans || takenBytes >= most.bytes
    while (taken.length < plans && !isFull()) {
      for (const [environmentId, lane] of lanes) {
        const place = places.get(environmentId) ?? 0
        const waiting = lane[place]
        if (waiting === undefined) continue
        places.set(environmentId, place + 1)
        taken.push(waiting)
        takenBytes += waiting.bytes
        if (isFull()) break
      }
    }
    plans -= taken.length
    bytes -= takenBytes
    for (const [environmentId, place] of places) cut(environmentId, place)
    return taken
  }

  return {
    add(waiting) {
      const lane = lanes.get(waiting.piece.environmentId)
      if (lane === undefined) lanes.set(waiting.piece.environmentId, [waiting])
      else lane.push(waiting)
      plans++
      bytes += waiting.bytes
    },
    take,
    takeAll: () => take({ plans: Infinity, bytes: Infinity }),
    size: () => ({ plans, bytes }),
    fronts: () => [...lanes.values()].flatMap((lane) => lane[0]?.since ?? []),
  }
}

/** About what a plan weighs: its long texts and a share for the rest. */
export function weigh(plan: Plan): number {
  if (plan.kind !== 'track') return 200 + plan.items.length * 200
  let bytes = 500 + (plan.event?.properties.length ?? 0) + (plan.event?.userIds?.length ?? 0)
  for (const run of plan.runs) bytes += 200 + run.trace.length
  for (const message of plan.messages) bytes += 300 + message.snapshot.length
  for (const wait of plan.waits) bytes += 200 + wait.course.length
  if (plan.continues !== null) bytes += 300 + plan.continues.trace.length + (plan.continues.next?.course.length ?? 0)
  for (const job of plan.jobs) bytes += 200 + job.payload.length
  return bytes
}
