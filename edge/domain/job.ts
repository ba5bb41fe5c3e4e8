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
  /** How often a process ended while it evaluated the job. */
  crashes: number
  fence: number
}

/** Names the job that a plan completes in its own transaction. */
export interface JobClaim {
  environmentId: number
  id: number
  fence: number
}

export interface FailedJob {
  error: string
  now: number
  /** When it is due again; null when it is given up. */
  retryAt: number | null
  /** False when the attempt does not count, because the job had no part in its failure. */
  isCounted: boolean
}

export interface Jobs {
  /**
   * Claims up to `limit` due jobs of these kinds for `leaseMs`; other kinds are left to nodes that have handlers for
   * them. Of jobs that were claimed before, only the oldest is claimed. When more are due, environments take turns with their oldest jobs, and the rest goes to the oldest of all.
   */
  claim(now: number, leaseMs: number, limit: number, kinds: readonly string[]): Promise<Job[]>
  complete(claim: JobClaim): Promise<void>
  /** Makes it due then, as if it had never been tried: a part of it is done. */
  goOn(claim: JobClaim, dueAt: number): Promise<void>
  /** Postpones it, or gives it up: then it stays, dead. */
  fail(claim: JobClaim, failed: FailedJob): Promise<void>
  /**
   * Returns the ms until the next job of these (or all) kinds is due, by the clock of claims; negative when overdue.
   * Null without jobs.
   */
  nextDueInMs(now: number, kinds?: readonly string[]): Promise<number | null>
}
