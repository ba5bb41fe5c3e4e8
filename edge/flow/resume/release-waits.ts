// Makes the waits of a campaign due after a pause or an archiving, chunk by chunk; the job is written with the new
// status. Resuming them then runs, cancels or drains them.

import type { Core } from '../../domain/core.ts'
import type { Job, NewJob } from '../../domain/job.ts'

/** The kind of the stored jobs, which keeps the name that earlier releases wrote. */
export const RELEASE_WAITS = 'rouse-waits'
/** A tracked event waits for the commit of one chunk at most. */
const CHUNK_WAITS = { parked: 500, all: 100 }
/**
 * Pause between the chunks of an archived campaign, whose runs only end: 2,000 a second. All at once, they would delay
 * every later timer of their environment.
 */
const ENDING_PAUSE_MS = 50

export interface ReleasePayload {
  campaignId: number
  /** Parked waits, or all waits. */
  which: 'parked' | 'all'
}

/** Builds the job, due at `now` (epoch ms). */
export function releaseJob(id: number, environmentId: number, payload: ReleasePayload, now: number): NewJob {
  return { id, environmentId, kind: RELEASE_WAITS, payload: JSON.stringify(payload), runAt: now, createdAt: now }
}

/** A repeat after a crash starts again; waits that are due already stay due. */
export function createReleaseWaits({
  waits,
  scheduleTimers,
  clock,
}: Pick<Core, 'waits' | 'clock'> & {
  /** Called with the due time (epoch ms) of each chunk. */
  scheduleTimers(dueAt: number): void
}): (job: Job) => Promise<'complete'> {
  return async function releaseWaits(job) {
    const { campaignId, which } = JSON.parse(job.payload) as ReleasePayload
    const begunAt = clock.now()
    let after: number | null = 0
    for (let chunk = 0; after !== null; chunk++) {
      const dueAt = which === 'all' ? begunAt + chunk * ENDING_PAUSE_MS : clock.now()
      after = await waits.makeDue(campaignId, which, after, CHUNK_WAITS[which], dueAt)
      scheduleTimers(dueAt)
    }
    return 'complete'
  }
}
