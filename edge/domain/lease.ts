// Describes leases: a claimed job or wait belongs to its claimer until its lease ends, and leases are renewed during work.

import type { JobClaim } from './job.ts'
import type { WaitClaim } from './run/run-wait.ts'

/** Length of a lease (ms), as long as that of a node's number. Without renewal its holder counts as dead, and others may claim. */
export const LEASE_MS = 15_000

export interface Leases {
  /** Renews the leases of these claims, except those that have ended. */
  renewJobs(claims: JobClaim[], now: number, leaseMs: number): Promise<void>
  renewWaits(claims: WaitClaim[], now: number, leaseMs: number): Promise<void>
}
