// Jobs that wait while the store must not grow: nothing is claimed, so that no attempt is lost (issue part 2, "Disk full").

import type { Jobs } from '../domain/job.ts'

const ASK_AGAIN_MS = 1000

/** The same jobs; while `isPaused`, none is due before a second from now. */
export function createPausedJobs(jobs: Jobs, isPaused: () => boolean): Jobs {
  return {
    ...jobs,
    claim: async (...claim) => (isPaused() ? [] : jobs.claim(...claim)),
    nextDueInMs: async (...asked) => (isPaused() ? ASK_AGAIN_MS : jobs.nextDueInMs(...asked)),
  }
}
