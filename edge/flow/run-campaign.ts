// Runs one campaign version for one user up to its end or first wait, into rows of a plan (house section 3). Nothing is stored here.

import type { Gate } from '../domain/gate.ts'
import type { NewMessage, NewRun } from '../domain/plan.ts'
import type { NewWait } from '../domain/run/run-wait.ts'
import type { TraceStep } from '../domain/tracked-event.ts'
import { openCourse, type RunCampaignDeps, type RunStart, storeWait, toRun } from './run/course.ts'
import { runSteps } from './run/run-steps.ts'

export interface RunResult {
  run: NewRun
  messages: NewMessage[]
  gates: Gate[]
  trace: TraceStep[]
  /** What it waits for, when it has not ended. */
  wait: NewWait | null
}

export type RunCampaign = (start: RunStart) => RunResult

/** Never throws for what a customer wrote: a template that fails to render fails its run, with the reason in the trace. */
export function createRunCampaign(deps: RunCampaignDeps): RunCampaign {
  return function runCampaign(start) {
    const course = openCourse(deps, start, deps.ids.run.next())
    runSteps(course, start.campaign.steps)
    const wait = storeWait(course)
    const run = toRun(course, course.ended ?? { state: wait === null ? 'completed' : 'waiting', stateReason: null })
    return { run, messages: course.messages, gates: course.gates, trace: course.trace, wait }
  }
}
