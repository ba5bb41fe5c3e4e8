// Runs one campaign version for one user up to its end or first wait, into rows of a plan (house section 3). Nothing is stored here.

import type { NewMessage, NewRun } from '../domain/plan.ts'
import type { TraceStep } from '../domain/tracked-event.ts'
import { branchOf, type Course, type RunCampaignDeps, type RunStart, scopeOf } from './run/course.ts'
import { runSteps } from './run/run-steps.ts'

export interface RunResult {
  run: NewRun
  messages: NewMessage[]
  trace: TraceStep[]
}

export type RunCampaign = (start: RunStart) => RunResult

/** Never throws for what a customer wrote: a template that fails to render fails its run, with the reason in the trace. */
export function createRunCampaign(deps: RunCampaignDeps): RunCampaign {
  return function runCampaign(start) {
    const startedAt = deps.clock.now()
    const course: Course = {
      deps,
      start,
      runId: deps.ids.run.next(),
      scope: scopeOf(start),
      branches: [],
      trace: [],
      messages: [],
      ended: null,
    }
    runSteps(course, start.campaign.steps)
    const end = course.ended ?? { state: 'completed', stateReason: null }
    const run: NewRun = {
      id: course.runId,
      eventId: start.eventId,
      campaignId: start.campaign.campaign.id,
      version: start.campaign.version,
      branch: branchOf(course),
      userId: start.user.id,
      state: end.state,
      stateReason: end.stateReason,
      isTest: start.isTest,
      correlationId: start.correlationId,
      startedAt,
      endedAt: deps.clock.now(),
      trace: JSON.stringify(course.trace),
    }
    return { run, messages: course.messages, trace: course.trace }
  }
}
