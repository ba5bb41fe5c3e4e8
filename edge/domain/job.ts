// The job: work that waits in the store, written in the transaction of the state that it continues (house: plan, then commit).

import type { WaitClaim } from './run/run-wait.ts'

export interface NewJob {
  id: number
  environmentId: number
  kind: string
  /** JSON text; the handler of the kind knows its shape. */
  payload: string
  runAt: number
  createdAt: number
}

/** A claimed job. `fence` must be given back with its completion: a worker that lost its lease writes nothing. */
export interface Job extends NewJob {
  attempts: number
  fence: number
}

/** For so long a claim holds unless it is renewed: then who has it is taken for dead, and another may claim (ms). As long as a node's number is leased. */
export const LEASE_MS = 15_000

/** Names the job that a plan completes in its own transaction. */
export interface JobClaim {
  id: number
  fence: number
}

export interface Jobs {
  /**
   * Takes up to `limit` due jobs of these kinds under a lease of `leaseMs`: those of others are left to nodes that know them. When more are due, environments take turns, each with its oldest; what room is left goes to the
   * oldest of all.
   */
  claim(now: number, leaseMs: number, limit: number, kinds: readonly string[]): Promise<Job[]>
  complete(claim: JobClaim): Promise<void>
  /** Puts it back for `runAt`, or marks it dead when `runAt` is null. */
  fail(claim: JobClaim, error: string, runAt: number | null): Promise<void>
  /** In how many ms the next one is due, of these kinds or of all, by the clock that claims go by; below 0 when it was due before. Null when none waits. */
  nextDueInMs(now: number, kinds?: readonly string[]): Promise<number | null>
  /** Jobs that had all their attempts; counted up to 1,000. */
  countDead(): Promise<number>
}

/** Keeps claims for who is still at work. A claim that is over is left as it is. */
export interface Leases {
  renewJobs(claims: JobClaim[], now: number, leaseMs: number): Promise<void>
  renewWaits(claims: WaitClaim[], now: number, leaseMs: number): Promise<void>
}
