// Tracks whether the database's disk has space. A failed commit reports a full disk; a trial statement shows when it
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

const NOT_FULL: Space = {
  freeBytes: Number.MAX_SAFE_INTEGER,
  totalBytes: Number.MAX_SAFE_INTEGER,
  reason: 'PostgreSQL has disk space',
}

/** Writes 1 MiB to the disk of the tables and removes it at its end. More could take the space of the server's log. */
const TRIAL = `CREATE TEMP TABLE nc_disk_space_trial ON COMMIT DROP AS
  SELECT repeat('x', 1000) AS filling FROM generate_series(1, 1000)`
/**
 * The time after which real commits are tried. The trial statement does not use space inside the tables, and the
 * account may not be allowed to run it.
 */
const WORK_EVERY_MS = 60_000

/** Creates the state: the disk has space until `recordFault` gets an error of a full disk. */
export function createDiskSpace({ query }: DiskSpaceDeps): DiskSpace {
  let fault: Error | undefined
  let tryWorkAt = 0

  return {
    recordFault(error) {
      if (!isFull(error)) return
      // Later errors of commits that had already begun must not postpone the next try.
      if (fault === undefined) tryWorkAt = performance.now() + WORK_EVERY_MS
      fault = error
    },
    async probe() {
      if (fault === undefined) return NOT_FULL
      const lastFault = fault
      const isFullStill = performance.now() < tryWorkAt && !(await succeeds(query(TRIAL)))
      fault = isFullStill ? lastFault : undefined
      return isFullStill ? { ...NOT_FULL, freeBytes: 0, reason: `PostgreSQL: ${lastFault.message}` } : NOT_FULL
    },
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
