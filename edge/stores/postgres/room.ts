// Whether the disk of the database has room: a commit that found none says so, and a trial finds when it has again (docs/decisions/0234).

import type { Space } from '../disk/disk-guard.ts'
import { isFull } from './faults.ts'

export interface Room {
  /** Hears what a commit failed of. */
  note(error: unknown): void
  /** As a disk: empty from a commit that found no room until there is some again. */
  probe(): Promise<Space>
}

export interface RoomDeps {
  /** Runs one statement on a connection that may write. */
  query(text: string): Promise<unknown>
}

const PLENTY: Space = {
  freeBytes: Number.MAX_SAFE_INTEGER,
  totalBytes: Number.MAX_SAFE_INTEGER,
  reason: 'PostgreSQL finds room',
}

/**
 * One MiB in the place where the tables of this database lie, gone with the statement. Not more: what it takes for a moment
 * the server's own log must not miss.
 */
const TRIAL = `CREATE TEMP TABLE nc_trial_of_room ON COMMIT DROP AS
  SELECT repeat('x', 1000) AS filling FROM generate_series(1, 1000)`
/**
 * The trial knows nothing of room inside the tables, left by what was removed, and an account may not be allowed to make it: so
 * often the work itself is the trial.
 */
const WORK_EVERY_MS = 60_000

export function createRoom({ query }: RoomDeps): Room {
  let fault: Error | undefined
  let workAt = 0

  return {
    note(error) {
      if (!isFull(error)) return
      // Not put off by those that were under way with it.
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
