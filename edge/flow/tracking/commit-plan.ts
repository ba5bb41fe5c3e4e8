// Commits a track plan, then tells the others what it changed: never before the commit (house section 5).

import { setImmediate } from 'node:timers/promises'
import type { Bus } from '../../domain/bus.ts'
import { toPushedFrame } from '../../domain/delivery/pushed-frame.ts'
import type { Commit, InboxPush, NewMessage, TrackOutcome, TrackPlan } from '../../domain/plan.ts'

export interface CommitPlanDeps {
  commit: Pick<Commit, 'track'>
  bus: Pick<Bus, 'publish'>
  /** New jobs may be due: the worker looks at once. */
  wakeJobs(): void
  /** A run waits until then. */
  wakeTimers(dueAt: number): void
}

/** A plan with more pushes, a chunk of a fan-out, is told in a turn of the loop of its own: several are done by one commit. */
const MANY_PUSHES = 100

export type CommitPlan = (plan: TrackPlan) => Promise<TrackOutcome>

export function createCommitPlan(deps: CommitPlanDeps): CommitPlan {
  let turn = Promise.resolve()
  return async function commitPlan(plan) {
    const outcome = await deps.commit.track(plan)
    if (outcome.result === 'written') {
      if (outcome.pushes.length > MANY_PUSHES) {
        turn = turn.then(() => setImmediate())
        await turn
      }
      publishPushes(deps.bus, outcome.pushes, plan.messages)
      if (plan.jobs.length > 0) deps.wakeJobs()
      // Runs that it woke are due now.
      if (plan.waking !== undefined) deps.wakeTimers(plan.now)
      if (outcome.hurries) deps.wakeTimers(plan.now)
      for (const wait of plan.waits) deps.wakeTimers(wait.dueAt)
      if (plan.continues?.next) deps.wakeTimers(plan.continues.next.dueAt)
    }
    return outcome
  }
}

/** Each push goes out with the messages of the plan that it adds. */
function publishPushes(bus: CommitPlanDeps['bus'], pushes: InboxPush[], messages: NewMessage[]): void {
  const byId = messages.length > 8 ? new Map(messages.map((message) => [message.id, message])) : undefined
  const find = (id: number) => (byId === undefined ? messages.find((message) => message.id === id) : byId.get(id))
  for (const push of pushes) {
    const added: NewMessage[] = []
    for (const change of push.changes) {
      const message = change.op === 'add' ? find(change.messageId) : undefined
      if (message !== undefined) added.push(message)
    }
    bus.publish('inbox-pushed', toPushedFrame(push, added))
  }
}
