// Turns snoozes and lives that are over into changes like any other (contract section 5). The schedule runs it four times a second.

import type { Bus } from '../../domain/bus.ts'
import type { DueMessage, Inboxes } from '../../domain/message.ts'
import type { Commit, InboxPlan } from '../../domain/plan.ts'
import type { Clock } from '../../lib/clock.ts'
import { announce } from './announce.ts'

/** Messages that are read and committed together. */
const CHUNK = 500

export interface ExpireMessagesDeps {
  commit: Pick<Commit, 'change'>
  inboxes: Pick<Inboxes, 'listDue'>
  bus: Pick<Bus, 'publish'>
  clock: Clock
}

/** Answers how many messages changed. */
export function createExpireMessages(deps: ExpireMessagesDeps): () => Promise<number> {
  return async function expireMessages() {
    let total = 0
    for (;;) {
      const now = deps.clock.now()
      const due = await deps.inboxes.listDue(now, CHUNK)
      const outcomes = await Promise.all(toPlans(due, now).map((plan) => deps.commit.change(plan)))
      let changed = 0
      for (const outcome of outcomes) {
        changed += outcome.changed
        announce(deps.bus, outcome.pushes)
      }
      total += changed
      // What was not changed by its plan will not be by the next one either; the coming run asks again.
      if (due.length < CHUNK || changed === 0) return total
    }
  }
}

/** One plan for each user. */
function toPlans(due: DueMessage[], now: number): InboxPlan[] {
  const plans = new Map<number, InboxPlan>()
  for (const { environmentId, userNo, messageId, due: action } of due) {
    const plan = plans.get(userNo) ?? { kind: 'change', environmentId, userNo, now, items: [], readAllUpTo: null }
    plan.items.push({ messageId, actions: [{ action }] })
    plans.set(userNo, plan)
  }
  return [...plans.values()]
}
