// Wires the flows: tracking, campaigns, fan-out and runs.

import type { Enrichers } from '../domain/enricher.ts'
import { createChangeCampaign } from '../flow/campaigns/change-campaign.ts'
import { createFindMissingEnrichers } from '../flow/campaigns/find-missing-enrichers.ts'
import { createTryCampaign } from '../flow/campaigns/try-campaign.ts'
import type { CommitPlanDeps } from '../flow/commit.ts'
import { watchEvaluations } from '../flow/doubts/watch-evaluations.ts'
import { createCheckSenders } from '../flow/mail/check-senders.ts'
import { createManageGivenUp } from '../flow/resume/manage-given-up.ts'
import { createCheckConfig } from '../flow/tenant/notification-configs.ts'
import { createChooseTexts } from '../flow/texts/choose-texts.ts'
import { createAcceptEvents } from '../flow/track/accept-events.ts'
import { createActiveTenants } from '../flow/track/active-tenants.ts'
import { createFanOut } from '../flow/track/fan-out.ts'
import { createLiveCampaigns } from '../flow/track/live-campaigns.ts'
import { createPlanEvent } from '../flow/track/plan-event.ts'
import { createSendPolicies } from '../flow/track/send-policies.ts'
import { createStartRuns } from '../flow/track/start-runs.ts'
import { createCheckLayout } from '../sandbox/check-layout.ts'
import { createCheckTexts } from '../sandbox/check-texts.ts'
import { createEvaluator } from '../sandbox/evaluator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Core } from './core.ts'
import { wireRuns } from './wire-runs.ts'

export type Flows = ReturnType<typeof wireFlows>

/** Functions that notify the worker, the timers and the loop of mails of new work. */
export type WorkSignals = Required<Pick<CommitPlanDeps, 'pollJobs' | 'scheduleTimers' | 'scheduleMails'>>

/** What the definition of a campaign names must be there. */
const campaignChecks = (stores: Core['stores']) => ({
  findMissingEnrichers: createFindMissingEnrichers(stores),
  checkConfig: createCheckConfig(stores),
  checkSenders: createCheckSenders(stores),
  chooseTexts: createChooseTexts(stores),
})

const sandboxedChecks = (sandbox: Sandbox) => ({
  checkLayout: createCheckLayout(sandbox),
  checkTexts: createCheckTexts(sandbox),
})

/** @param signals Called when a flow has written a job or a timer. */
export function wireFlows(core: Core, enrichers: Enrichers, sandbox: Sandbox, signals: WorkSignals) {
  const { stores, clock, bus, ids, settings, commitPlan, countDoubts } = core
  const live = createLiveCampaigns({ ...stores, bus, clock })
  const sendPolicies = createSendPolicies({ sendRules: stores.sendRules, live })
  const activeTenants = createActiveTenants(clock)
  const { record: recordDoubt } = countDoubts
  const evaluating = createEvaluator({ clock, ids, findCached: enrichers.findCached }, sandbox)
  const evaluator = watchEvaluations(evaluating, recordDoubt)
  const startRuns = createStartRuns(evaluator.begin)
  const planEvent = createPlanEvent({ startRuns, clock, ids, idempotencyKeptMs: settings.idempotencyKeptMs })
  return {
    live,
    sendPolicies,
    acceptEvents: createAcceptEvents({
      live,
      users: stores.users,
      topics: stores.topics,
      sendPolicies,
      activeTenants,
      planEvent,
      commitPlan,
      recordDoubt,
    }),
    ...sandboxedChecks(sandbox),
    changeCampaign: createChangeCampaign({
      ...stores,
      checkDefinition: evaluator.check,
      ...campaignChecks(stores),
      bus,
      clock,
      ids,
      pollJobs: signals.pollJobs,
    }),
    tryCampaign: createTryCampaign({
      chooseTexts: createChooseTexts(stores),
      campaigns: stores.campaigns,
      users: stores.users,
      sendPolicies,
      live,
      evaluator,
      commitPlan,
      clock,
      ids,
    }),
    fanOut: createFanOut({
      ...stores,
      findEnvironment: (id) => stores.environments.find(id),
      live,
      sendPolicies,
      activeTenants,
      startRuns,
      inHand: core.inHand,
      commitPlan,
      ids,
      clock,
    }),
    manageGivenUp: createManageGivenUp({ givenUps: stores.givenUps, clock, ...signals }),
    ...wireRuns(core, { evaluator, live, sendPolicies, enrichers, scheduleTimers: signals.scheduleTimers }),
  }
}
