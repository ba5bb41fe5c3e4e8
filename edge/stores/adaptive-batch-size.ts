// Limits the size of a batch while several environments write, so that one busy environment delays no other.

/** The target duration of a batch while several environments write: a new plan waits for at most three batches. */
const TARGET_MS = 30
/** The time for which environments count as concurrent after two of them sent plans. */
const CONCURRENT_MS = 1000
/** Smaller batches are not measured: the fixed cost of a transaction would make each next batch smaller. */
const MIN_UNITS = 200
/** The weight of a new measurement in the moving average. */
const NEW_WEIGHT = 0.2

export interface AdaptiveBatchSize {
  /** Records the arrival of a plan. `now`: ms of a monotonic clock. */
  recordPlan(environmentId: number, now: number): void
  /** Records a written batch. `tookMs`: the time in which the writer had no other batch. */
  recordBatch(units: number, tookMs: number): void
  /** Returns the maximum units of the next batch; a unit is a plan of one message. */
  maxUnits(batchUnits: number, now: number): number
}

/** Creates the limit. One environment alone always gets full batches. */
export function createAdaptiveBatchSize(): AdaptiveBatchSize {
  let lastEnvironmentId: number | undefined
  let concurrentAt = -Infinity
  let perUnitMs = 0
  return {
    recordPlan(environmentId, now) {
      if (environmentId === lastEnvironmentId) return
      if (lastEnvironmentId !== undefined) concurrentAt = now
      lastEnvironmentId = environmentId
    },
    recordBatch(units, tookMs) {
      if (units < MIN_UNITS) return
      const measuredMs = tookMs / units
      perUnitMs = perUnitMs === 0 ? measuredMs : perUnitMs + NEW_WEIGHT * (measuredMs - perUnitMs)
    },
    maxUnits(batchUnits, now) {
      if (perUnitMs === 0 || now - concurrentAt > CONCURRENT_MS) return batchUnits
      return Math.min(batchUnits, Math.max(MIN_UNITS, Math.floor(TARGET_MS / perUnitMs)))
    },
  }
}
