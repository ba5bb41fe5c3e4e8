// Limits the size of a batch while several environments write, so that one busy environment delays no other.

/** The time one batch may take then. Two batches are under way, so a new plan waits for at most three of them. */
const MOMENT_MS = 30
/** Environments count as concurrent when plans of two of them arrived within this time. */
const TOGETHER_MS = 1000
/**
 * Below this size the fixed cost of a transaction dominates: measuring such batches would shrink them again and
 * again.
 */
const LEAST_UNITS = 200
/** The weight of a new measurement in the moving average. */
const FRESH = 0.2

export interface AdaptiveBatchSize {
  /** Records the arrival of a plan. `now`: ms of a monotonic clock. */
  recordPlan(environmentId: number, now: number): void
  /** Records a written batch. `tookMs`: the time in which the writer had no other batch. */
  recordBatch(units: number, tookMs: number): void
  /** Returns the maximum units of the next batch; a unit is a plan of one message. */
  maxUnits(batchUnits: number, now: number): number
}

export function createAdaptiveBatchSize(): AdaptiveBatchSize {
  let latest: number | undefined
  let mixedAt = -Infinity
  let perUnitMs = 0
  return {
    recordPlan(environmentId, now) {
      if (environmentId === latest) return
      if (latest !== undefined) mixedAt = now
      latest = environmentId
    },
    recordBatch(units, tookMs) {
      if (units < LEAST_UNITS) return
      const figure = tookMs / units
      perUnitMs = perUnitMs === 0 ? figure : perUnitMs + FRESH * (figure - perUnitMs)
    },
    maxUnits(batchUnits, now) {
      if (perUnitMs === 0 || now - mixedAt > TOGETHER_MS) return batchUnits
      return Math.min(batchUnits, Math.max(LEAST_UNITS, Math.floor(MOMENT_MS / perUnitMs)))
    },
  }
}
