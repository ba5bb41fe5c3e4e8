// Wires the flows: tracking, campaigns, fan-out and runs.

import type { Evaluator } from '../campaign/evaluator.ts'
import type { Enrichers } from '../domain/enricher.ts'
import { createManageAgain } from '../flow/again/manage-again.ts'
import { createRunAgain } from '../flow/again/run-again.ts'
import { createWorkAgain } from '../flow/again/work-again.ts'
import { createChangeCampaign } from '../flow/campaigns/change-campaign.ts'
import { createCheckDraft, type DraftChecks } from '../flow/campaigns/check-draft.ts'
import { createFindMissingEnrichers } from '../flow/campaigns/find-missing-enrichers.ts'
import { createTryCampaign } from '../flow/campaigns/try-campaign.ts'
import { watchEvaluations } from '../flow/doubts/watch-evaluations.ts'
import { createWarnPaths } from '../flow/event-names/warn-paths.ts'
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
import type { AppCore } from './core.ts'
import { wireRuns } from './wire-runs.ts'
import { traceEvaluations } from './wire-traces.ts'
import type { WorkSignals } from './work-signals.ts'

export type Flows = ReturnType<typeof wireFlows>

/** What the definition of a campaign names must be there. */
const draftChecks = (core: AppCore, { check, findLinkFaults }: Evaluator): DraftChecks => ({
  checkDefinition: check,
  findLinkFaults,
  findMissingEnrichers: createFindMissingEnrichers(core),
  warnPaths: createWarnPaths(core),
  checkConfig: createCheckConfig(core),
  checkSenders: createCheckSenders(core),
  chooseTexts: createChooseTexts(core),
})

/** @param signals Called when a flow has written a job or a timer. */
export function wireFlows(core: AppCore, enricherCalls: Enrichers, signals: WorkSignals) {
  const { settings, sandbox, clock, ids } = core
  const live = createLiveCampaigns(core)
  const sendPolicies = createSendPolicies({ ...core, live })
  const activeTenants = createActiveTenants(clock)
  const evaluating = createEvaluator({ clock, ids, findCached: enricherCalls.findCached }, sandbox)
  const evaluator = traceEvaluations(core.traces, watchEvaluations(evaluating, core.recordDoubt))
  const startRuns = createStartRuns(evaluator.begin)
  const planEvent = createPlanEvent({ ...core, startRuns, idempotencyKeptMs: settings.idempotencyKeptMs })
  const checks = draftChecks(core, evaluator)
  const checkDraft = createCheckDraft({ ...core, ...checks })
  const acceptEvents = createAcceptEvents({ ...core, live, sendPolicies, activeTenants, planEvent })
  const manageGivenUp = createManageGivenUp({ ...core, ...signals })
  const runs = wireRuns(core, { evaluator, live, sendPolicies, enricherCalls, scheduleTimers: signals.scheduleTimers })
  const runAgain = createRunAgain({
    ...core,
    ...{ live, sendPolicies, pinned: runs.pinned, begin: evaluator.begin },
    ...{ acceptBatch: acceptEvents.acceptBatch, givenUps: manageGivenUp },
    idempotencyKeptMs: settings.idempotencyKeptMs,
  })
  return {
    ...runs,
    runAgain,
    manageAgain: createManageAgain({ ...core, pollJobs: signals.pollJobs }),
    workAgain: createWorkAgain({ ...core, runAgain, findEnvironment: (id) => core.environments.find(id) }),
    live,
    trials: { ...checks, checkDraft, evaluator },
    sendPolicies,
    acceptEvents,
    checkLayout: createCheckLayout(sandbox),
    checkTexts: createCheckTexts(sandbox),
    changeCampaign: createChangeCampaign({ ...core, checkDraft, pollJobs: signals.pollJobs }),
    tryCampaign: createTryCampaign({ ...core, ...checks, checkDraft, sendPolicies, live, evaluator }),
    fanOut: createFanOut({
      ...core,
      findEnvironment: (id) => core.environments.find(id),
      live,
      sendPolicies,
      activeTenants,
      startRuns,
    }),
    manageGivenUp,
  }
}
