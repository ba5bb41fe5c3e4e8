// How many plans the writer gets at once: while several environments are there only as many as it writes in a moment, so that one that floods makes no other wait for its thousand (house section 3, fairness).

/** What a batch may take then: two are under way, so that a new plan waits for three of them at most. */
const MOMENT_MS = 30
/** Several environments are there when two have come within this time. */
const TOGETHER_MS = 1000
/** Below this the costs of the transaction itself are much of it: smaller batches would only look slower, and shrink again. */
const LEAST_PLANS = 200
/** How much a new figure counts against those before it. */
const FRESH = 0.2

export interface BatchPace {
  /** A plan has come. `now`: ms of a clock that never steps back. */
  note(environmentId: number, now: number): void
  /** A batch is written; the writer had nothing else for `tookMs`. */
  settled(plans: number, tookMs: number): void
  /** How many plans the next batch may hold. */
  most(batchPlans: number, now: number): number
}

export function createBatchPace(): BatchPace {
  let latest: number | undefined
  let mixedAt = -Infinity
  let perPlanMs = 0
  return {
    note(environmentId, now) {
      if (environmentId === latest) return
      if (latest !== undefined) mixedAt = now
      latest = environmentId
    },
    settled(plans, tookMs) {
      if (plans < LEAST_PLANS) return
      const figure = tookMs / plans
      perPlanMs = perPlanMs === 0 ? figure : perPlanMs + FRESH * (figure - perPlanMs)
    },
    most(batchPlans, now) {
      if (perPlanMs === 0 || now - mixedAt > TOGETHER_MS) return batchPlans
      return Math.min(batchPlans, Math.max(LEAST_PLANS, Math.floor(MOMENT_MS / perPlanMs)))
    },
  }
}
