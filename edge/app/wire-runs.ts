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
import type { AppCore } from './core.ts'

/** Parts that the flows of `wire-flows.ts` use as well. */
export interface RunParts {
  evaluator: Evaluator
  live: LiveCampaigns
  sendPolicies: SendPolicies
  enricherCalls: Pick<Enrichers, 'call'>
  scheduleTimers(dueAt: number): void
}

/** @param parts Shared with the flows that start runs. */
export function wireRuns(core: AppCore, parts: RunParts) {
  const { evaluator, scheduleTimers } = parts
  const { holds, continueRun, judge } = evaluator
  const endRun = createEndRun({ clock: core.clock, ids: core.ids })
  const pinned = createPinnedVersions(core.campaigns)
  return {
    pinned,
    /** Evaluates conditions, those of mappings too. */
    holds,
    cancelRuns: createCancelRuns({ ...core, ...parts, pinned, endRun, holds }),
    releaseWaits: createReleaseWaits({ ...core, scheduleTimers }),
    resumeRuns: createResumeRuns({
      ...core,
      ...parts,
      pinned,
      continueRun,
      judge,
      endRun,
      onWait: core.metrics.onWait,
    }),
  }
}
