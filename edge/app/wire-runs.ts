// What carries waiting runs on, wired.

import type { Enrichers } from '../domain/enricher.ts'
import { createCancelRuns } from '../flow/campaigns/cancel-runs.ts'
import type { ContinueRun } from '../flow/run/continue-run.ts'
import { createEndRun } from '../flow/run/end-run.ts'
import { createPinnedVersions } from '../flow/run/pinned-versions.ts'
import { createResumeRuns } from '../flow/run/resume-runs.ts'
import { createRouseWaits } from '../flow/run/rouse-waits.ts'
import type { CommitPlan } from '../flow/tracking/commit-plan.ts'
import type { SendPolicies } from '../flow/tracking/send-policies.ts'
import type { Core } from './core.ts'

export interface RunParts {
  continueRun: ContinueRun
  commitPlan: CommitPlan
  sendPolicies: SendPolicies
  enrichers: Pick<Enrichers, 'call'>
  wakeTimers(dueAt: number): void
}

export function wireRuns({ stores, clock, ids, log, metrics }: Core, parts: RunParts) {
  const { continueRun, commitPlan, sendPolicies, enrichers, wakeTimers } = parts
  const endRun = createEndRun({ clock, ids })
  const pinned = createPinnedVersions(stores.campaigns)
  return {
    cancelRuns: createCancelRuns({ ...stores, sendPolicies, pinned, endRun, commitPlan, clock }),
    rouseWaits: createRouseWaits({ waits: stores.waits, wakeTimers, clock }),
    resumeRuns: createResumeRuns({
      waits: stores.waits,
      arrivals: stores.arrivals,
      enrichers,
      digests: stores.digests,
      users: stores.users,
      sendPolicies,
      inboxes: stores.inboxes,
      pinned,
      continueRun,
      endRun,
      commitPlan,
      wakeTimers,
      clock,
      log,
      onWait: metrics.onWait,
    }),
  }
}
