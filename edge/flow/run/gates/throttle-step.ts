// Runs a step `throttle`: the run goes on as if there were room, and the commit decides whether there was (contract section 6).

import type { CompiledThrottleStep } from '../../../domain/steps/compiled.ts'
import { addTrace, type Course } from '../course.ts'
import { divert } from './divert.ts'

/** A test passes without being counted. */
export function runThrottleStep(course: Course, step: CompiledThrottleStep): void {
  const { start } = course
  const at = course.deps.clock.now()
  // How many there were is known at the commit, which notes it here.
  const inputs = { limit: step.limit, windowMs: step.windowMs }
  if (!start.isTest) {
    course.gates.push({
      kind: 'throttle',
      runId: course.runId,
      campaignId: start.campaign.campaign.id,
      stepId: step.id,
      userId: start.user.id,
      limit: step.limit,
      windowMs: step.windowMs,
      otherwise: divert(course, step, 'throttled', inputs),
    })
  }
  addTrace(course, step, 'done', start.isTest ? 'a test is not throttled' : null, at, inputs)
}
