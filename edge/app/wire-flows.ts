// The journey's flows, wired.

import type { Enrichers } from '../domain/enricher.ts'
import { createAcceptEvents } from '../flow/accept-events.ts'
import { createChangeCampaign } from '../flow/change-campaign.ts'
import { createFanOut } from '../flow/fan-out.ts'
import { createContinueRun } from '../flow/run/continue-run.ts'
import { createRunThrough } from '../flow/run/run-through.ts'
import { createRunCampaign } from '../flow/run-campaign.ts'
import { createCheckConfig } from '../flow/tenant/notification-configs.ts'
import { type CommitPlanDeps, createCommitPlan } from '../flow/tracking/commit-plan.ts'
import { createLiveCampaigns } from '../flow/tracking/live-campaigns.ts'
import { createNeighbours } from '../flow/tracking/neighbours.ts'
import { createPlanEvent } from '../flow/tracking/plan-event.ts'
import { createSendPolicies } from '../flow/tracking/send-policies.ts'
import { createStartRuns } from '../flow/tracking/start-runs.ts'
import { createTryCampaign } from '../flow/try-campaign.ts'
import type { Core } from './core.ts'
import { wireRuns } from './wire-runs.ts'

export type Flows = ReturnType<typeof wireFlows>

type Wakes = Pick<CommitPlanDeps, 'wakeJobs' | 'wakeTimers'>

export function wireFlows(core: Core, enrichers: Enrichers, wake: Wakes) {
  const { stores, clock, bus, ids, settings } = core
  const live = createLiveCampaigns({ ...stores, bus, clock })
  const sendPolicies = createSendPolicies({ sendRules: stores.sendRules, live })
  const neighbours = createNeighbours(clock)
  const runCampaign = createRunCampaign({ clock, ids, findCached: enrichers.findCached })
  const startRuns = createStartRuns(runCampaign)
  const commitPlan = createCommitPlan({ commit: stores.commit, bus, ...wake })
  const continueRun = createContinueRun({ clock, ids, findCached: enrichers.findCached })
  const planEvent = createPlanEvent({ startRuns, clock, ids, idempotencyKeptMs: settings.idempotencyKeptMs })
  return {
    live,
    acceptEvents: createAcceptEvents({
      live,
      users: stores.users,
      topics: stores.topics,
      sendPolicies,
      neighbours,
      planEvent,
      commitPlan,
    }),
    changeCampaign: createChangeCampaign({
      campaigns: stores.campaigns,
      checkConfig: createCheckConfig(stores),
      bus,
      clock,
      ids,
      wakeJobs: wake.wakeJobs,
    }),
    tryCampaign: createTryCampaign({
      campaigns: stores.campaigns,
      users: stores.users,
      sendPolicies,
      runThrough: createRunThrough(runCampaign, continueRun),
      commitPlan,
      clock,
      ids,
    }),
    fanOut: createFanOut({
      events: stores.events,
      topics: stores.topics,
      users: stores.users,
      campaigns: stores.campaigns,
      findEnvironment: (id) => stores.environments.find(id),
      live,
      sendPolicies,
      neighbours,
      startRuns,
      commitPlan,
      ids,
      clock,
    }),
    ...wireRuns(core, { continueRun, commitPlan, sendPolicies, enrichers, wakeTimers: wake.wakeTimers }),
  }
}
