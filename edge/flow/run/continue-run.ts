// Carries a waiting run on, from its wait to its end or next wait, into a plan's rows (house section 3). Nothing is stored here.

import type { Gate } from '../../domain/gate.ts'
import type { NewMessage } from '../../domain/plan.ts'
import type { ClaimedWait, RunContinuation, WaitingRun } from '../../domain/run/run-wait.ts'
import type { Course, RunCampaignDeps, RunStart } from './course.ts'
import { openCourse, storeWait, toRun } from './course.ts'
import { resumeSteps } from './run-steps.ts'
import type { Wake } from './wake.ts'

/** A wait with all that its run needs to go on. */
export interface Suspended {
  wait: ClaimedWait
  run: Pick<WaitingRun, 'id' | 'version' | 'trace'>
  start: RunStart
}

export interface Continued {
  continues: RunContinuation
  messages: NewMessage[]
  gates: Gate[]
}

export type ContinueRun = (suspended: Suspended, wake: Wake) => Continued

/** Never throws for what a customer wrote, as `runCampaign`. */
export function createContinueRun(deps: RunCampaignDeps): ContinueRun {
  return function continueRun({ wait, run, start }, wake) {
    const course: Course = openCourse(deps, start, run.id, { ...wait.course, trace: run.trace, number: wait.number })
    if (!resumeSteps(course, start.campaign.steps, wait.stepId, wake)) {
      throw new Error(`Version ${run.version} of the campaign has no step "${wait.stepId}".`)
    }
    return { continues: toContinuation(course, wait), messages: course.messages, gates: course.gates }
  }
}

function toContinuation(course: Course, { runId, fence, awaits, campaignId }: ClaimedWait): RunContinuation {
  const next = storeWait(course)
  const end = course.ended ?? ({ state: next === null ? 'completed' : 'waiting', stateReason: null } as const)
  const { branch, endedAt, trace } = toRun(course, end)
  return {
    claim: { runId, fence },
    branch,
    ...end,
    endedAt,
    trace,
    next,
    asksCampaign: campaignId,
    dropsArrivals: awaits !== null,
  }
}
