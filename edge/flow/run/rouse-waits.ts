// The job `rouse-waits`: after a pause or an archiving the waits of a campaign are made due, chunk by chunk; carrying them on then
// runs, cancels or drains them (contract section 6). The job is written with the campaign's new status.

import type { Job, NewJob } from '../../domain/job.ts'
import type { RunWaits } from '../../domain/run/run-wait.ts'
import type { Clock } from '../../lib/clock.ts'

export const ROUSE_WAITS = 'rouse-waits'
/** Who tracks an event waits for the commit that carries a chunk on. */
const CHUNK_WAITS = { parked: 500, all: 100 }
/**
 * Between the chunks of an archived campaign, whose runs only end, and nobody waits for that: 2,000 a second. Made due all at
 * once they would stand before every timer of their environment that falls due later, for as long as they take.
 */
const ENDING_PAUSE_MS = 50

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
  /** Some are due then. */
  wakeTimers(dueAt: number): void
  clock: Clock
}

/** Begun anew after a crash: who is due by then already stays so. */
export function createRouseWaits({ waits, wakeTimers, clock }: RouseWaitsDeps): (job: Job) => Promise<'complete'> {
  return async function rouseWaits(job) {
    const { campaignId, which } = JSON.parse(job.payload) as RousePayload
    const begunAt = clock.now()
    let after: number | null = 0
    for (let chunk = 0; after !== null; chunk++) {
      const dueAt = which === 'all' ? begunAt + chunk * ENDING_PAUSE_MS : clock.now()
      after = await waits.rouse(campaignId, which, after, CHUNK_WAITS[which], dueAt)
      wakeTimers(dueAt)
    }
    return 'complete'
  }
}
