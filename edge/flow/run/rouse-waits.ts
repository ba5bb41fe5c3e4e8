// The job `rouse-waits`: after a pause or an archiving the waits of a campaign are due now, chunk by chunk; carrying them on then
// runs, cancels or drains them (contract section 6). The job is written with the campaign's new status.

import type { Job, NewJob } from '../../domain/job.ts'
import type { RunWaits } from '../../domain/run/run-wait.ts'
import type { Clock } from '../../lib/clock.ts'

export const ROUSE_WAITS = 'rouse-waits'
const CHUNK_WAITS = 500

export interface RousePayload {
  campaignId: number
  /** Those that a pause had laid aside, or all of them. */
  which: 'parked' | 'all'
}

export function rouseJob(id: number, environmentId: number, payload: RousePayload, now: number): NewJob {
  return { id, environmentId, kind: ROUSE_WAITS, payload: JSON.stringify(payload), runAt: now, createdAt: now }
}

export interface RouseWaitsDeps {
  waits: Pick<RunWaits, 'rouse'>
  /** They are due now. */
  wakeTimers(dueAt: number): void
  clock: Clock
}

/** Begun anew after a crash: who is due already stays so. */
export function createRouseWaits({ waits, wakeTimers, clock }: RouseWaitsDeps): (job: Job) => Promise<'complete'> {
  return async function rouseWaits(job) {
    const { campaignId, which } = JSON.parse(job.payload) as RousePayload
    let after: number | null = 0
    while (after !== null) {
      after = await waits.rouse(campaignId, which, after, CHUNK_WAITS, clock.now())
      wakeTimers(clock.now())
    }
    return 'complete'
  }
}
