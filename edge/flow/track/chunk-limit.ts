// Limits the work of one chunk of a fan-out: its runs, its bytes, and its time here and in sandboxes.

import { createTimeSlices } from '../../lib/time-slices.ts'
import type { StartedRuns } from './start-runs.ts'

/** Limits the runs that one chunk begins or resumes, and its messages, while no other environment is active. */
export const CHUNK_RUNS = 500
/** The same while others are active: they wait for one chunk at most (docs/decisions/0020-fair-claims.md). */
export const SHORT_CHUNK_RUNS = 20
/** Limit the chunk of campaigns whose messages are long, or slow to render. */
const CHUNK_BYTES = 1024 * 1024
export const CHUNK_MS = 250
/** Time of a chunk in sandboxes while other environments are active. */
const SHORT_CHUNK_MS = 50

/** Counts the work of a chunk against its limits, and yields to the event loop between slices. */
export function createChunkLimit(started: StartedRuns, maxRuns: () => number, chunkMs: number) {
  let runs = 0
  let resumed = 0
  let bytes = 0
  let counted = 0
  let workedMs = 0
  const endSlice = createTimeSlices()
  const budget = { leftMs: maxRuns() === SHORT_CHUNK_RUNS ? SHORT_CHUNK_MS : chunkMs }
  function left(): number {
    if (bytes >= CHUNK_BYTES || workedMs >= chunkMs || budget.leftMs <= 0) return 0
    return Math.max(0, maxRuns() - resumed - Math.max(runs, started.messages.length))
  }
  return {
    /** How many further runs the chunk may contain. */
    left,
    /** Its time in sandboxes. */
    budget,
    /** Whether a user with so many waiting runs fits; a user with more than the limit gets an own chunk. */
    allows: (waits: number) => left() > 0 && (waits <= left() || resumed + runs === 0),
    countResumed(count: number): void {
      resumed += count
    },
    async countBegun(count: number): Promise<void> {
      runs += count
      for (; counted < started.messages.length; counted++) bytes += started.messages[counted]?.snapshot.length ?? 0
      workedMs += await endSlice()
    },
  }
}
