// Applies due snoozes and expiries as changes. The schedule runs it four times a second.

import type { Core } from '../../domain/core.ts'
import type { DueMessage } from '../../domain/message.ts'
import type { InboxPlan } from '../../domain/plan.ts'

/** Number of messages that are read and committed together. */
const CHUNK = 500

/** @returns how many messages changed */
export function createExpireMessages(deps: Pick<Core, 'commitPlan' | 'inboxes' | 'clock'>): () => Promise<number> {
  return async function expireMessages() {
    let total = 0
    for (;;) {
      const now = deps.clock.now()
      const due = await deps.inboxes.listDue(now, CHUNK)
      const outcomes = await Promise.all(toPlans(due, now).map((plan) => deps.commitPlan(plan)))
      const changed = outcomes.reduce((sum, outcome) => sum + outcome.changed, 0)
      total += changed
      // A plan without effect would have none again in this run, so the next run repeats it.
      if (due.length < CHUNK || changed === 0) return total
    }
  }
}

/** Builds one plan for each user. */
function toPlans(due: DueMessage[], now: number): InboxPlan[] {
  const plans = new Map<number, InboxPlan>()
  for (const { environmentId, userNo, messageId, due: action } of due) {
    const plan = plans.get(userNo) ?? { kind: 'change', environmentId, userNo, now, items: [], readAllUpTo: null }
    plan.items.push({ messageId, actions: [{ action }] })
    plans.set(userNo, plan)
  }
  return [...plans.values()]
}
