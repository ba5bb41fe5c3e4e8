// Tracks whether the database's disk has space: a failed commit reports a full disk, and a trial finds out when it
// has space again (docs/decisions/0009-store-outages.md).

import type { Space } from '../disk/disk-guard.ts'
import { isFull } from './faults.ts'

export interface DiskSpace {
  /** Records the error of a failed commit. */
  recordFault(error: unknown): void
  /** Returns the space as for a disk: none from a failed commit until there is space again. */
  probe(): Promise<Space>
}

export interface DiskSpaceDeps {
  /** Runs one statement on a connection that may write. */
  query(text: string): Promise<unknown>
}

const PLENTY: Space = {
  freeBytes: Number.MAX_SAFE_INTEGER,
  totalBytes: Number.MAX_SAFE_INTEGER,
  reason: 'PostgreSQL has disk space',
}

/**
 * Writes 1 MiB where the tables of this database are, removed with the statement. Not more: the server's own log must
 * not lack the space meanwhile.
 */
const TRIAL = `CREATE TEMP TABLE nc_trial_of_room ON COMMIT DROP AS
  SELECT repeat('x', 1000) AS filling FROM generate_series(1, 1000)`
/**
 * The interval after which the work itself is the trial: the trial statement does not see space inside the tables,
 * and the account may not be allowed to run it.
 */
const WORK_EVERY_MS = 60_000

export function createDiskSpace({ query }: DiskSpaceDeps): DiskSpace {
  let fault: Error | undefined
  let workAt = 0

  return {
    recordFault(error) {
      if (!isFull(error)) return
      // Later errors of work that was under way must not postpone the next trial.
      if (fault === undefined) workAt = performance.now() + WORK_EVERY_MS
      fault = error
    },
    async probe() {
      if (fault === undefined) return PLENTY
      const last = fault
      const isFullStill = performance.now() < workAt && !(await succeeds(query(TRIAL)))
      fault = isFullStill ? last : undefined
      return isFullStill ? { ...PLENTY, freeBytes: 0, reason: `PostgreSQL: ${last.message}` } : PLENTY
    },
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
