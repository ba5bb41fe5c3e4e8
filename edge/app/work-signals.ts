// Declares the functions that notify the background work.

import type { createCommitPlan } from '../flow/commit.ts'

/** Functions that notify the worker, the timers and the loop of mails of new work. */
export type WorkSignals = Required<
  Pick<Parameters<typeof createCommitPlan>[0], 'pollJobs' | 'scheduleTimers' | 'scheduleMails'>
>
