// Defines the job: stored work, written in the transaction of the state that it continues.

export interface NewJob {
  id: number
  environmentId: number
  kind: string
  /** JSON text whose shape the kind's handler knows. */
  payload: string
  runAt: number
  createdAt: number
}

/** A claimed job. Its completion must name `fence`, so that a worker that lost its lease writes nothing. */
export interface Job extends NewJob {
  attempts: number
  fence: number
}

/** Names the job that a plan completes in its own transaction. */
export interface JobClaim {
  id: number
  fence: number
}

export interface Jobs {
  /**
   * Claims up to `limit` due jobs of these kinds for `leaseMs`; other kinds are left to nodes that have handlers for
   * them. When more are due, environments take turns with their oldest jobs, and the rest goes to the oldest of all.
   */
  claim(now: number, leaseMs: number, limit: number, kinds: readonly string[]): Promise<Job[]>
  complete(claim: JobClaim): Promise<void>
  /** Postpones it to `runAt`, or marks it dead when `runAt` is null. */
  fail(claim: JobClaim, error: string, runAt: number | null): Promise<void>
  /**
   * Returns the ms until the next job of these (or all) kinds is due, by the clock of claims; negative when overdue.
   * Null without jobs.
   */
  nextDueInMs(now: number, kinds?: readonly string[]): Promise<number | null>
  /** Counts the jobs without attempts left, up to 1,000. */
  countDead(): Promise<number>
}
