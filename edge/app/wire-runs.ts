// Wires the flows that resume and cancel waiting runs.

import { createEndRun } from '../campaign/end-run.ts'
import type { Evaluator } from '../campaign/evaluator.ts'
import type { Enrichers } from '../domain/enricher.ts'
import { createCancelRuns } from '../flow/campaigns/cancel-runs.ts'
import { createPinnedVersions } from '../flow/resume/pinned-versions.ts'
import { createReleaseWaits } from '../flow/resume/release-waits.ts'
import { createResumeRuns } from '../flow/resume/resume-runs.ts'
import type { LiveCampaigns } from '../flow/track/live-campaigns.ts'
import type { SendPolicies } from '../flow/track/send-policies.ts'
import type { Core } from './core.ts'

/** Parts that the flows of `wire-flows.ts` use as well. */
export interface RunParts {
  evaluator: Evaluator
  live: LiveCampaigns
  sendPolicies: SendPolicies
  enrichers: Pick<Enrichers, 'call'>
  scheduleTimers(dueAt: number): void
}

/** @param parts Shared with the flows that start runs. */
export function wireRuns({ stores, clock, ids, log, metrics, inHand, commitPlan }: Core, parts: RunParts) {
  const { evaluator, live, sendPolicies, enrichers, scheduleTimers } = parts
  const endRun = createEndRun({ clock, ids })
  const pinned = createPinnedVersions(stores.campaigns)
  return {
    pinned,
    /** Evaluates conditions, those of mappings too. */
    holds: evaluator.holds,
    cancelRuns: createCancelRuns({
      ...stores,
      live,
      sendPolicies,
      pinned,
      endRun,
      holds: evaluator.holds,
      commitPlan,
      clock,
    }),
    releaseWaits: createReleaseWaits({ waits: stores.waits, scheduleTimers, clock }),
    resumeRuns: createResumeRuns({
      waits: stores.waits,
      arrivals: stores.arrivals,
      enricherCalls: enrichers,
      digests: stores.digests,
      users: stores.users,
      sendPolicies,
      live,
      inboxes: stores.inboxes,
      pinned,
      continueRun: evaluator.continueRun,
      judge: evaluator.judge,
      endRun,
      inHand,
      commitPlan,
      scheduleTimers,
      clock,
      log,
      onWait: metrics.onWait,
    }),
  }
}
