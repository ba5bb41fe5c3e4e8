// Walks the steps of a run up to its end or first wait, and on from a wait (house section 3). The only list of what runs which type:
// a new step is a file beside this one, a case in `runSteps` and, when it waits, one in `resumeStep`.

import type { CompiledStep } from '../../domain/steps/compiled.ts'
import { stepsBelow } from '../../domain/steps/walk.ts'
import { runBranchStep } from './branch-step.ts'
import { type Course, isHalted } from './course.ts'
import { resumeDelayStep, runDelayStep } from './delay-step.ts'
import { runEmailStep } from './email-step.ts'
import { resumeEnrichStep, runEnrichStep } from './enrich-step.ts'
import { runExitStep } from './exit-step.ts'
import { resumeDigestStep, runDigestStep } from './gates/digest-step.ts'
import { runThrottleStep } from './gates/throttle-step.ts'
import { runInboxStep } from './inbox-step.ts'
import { resumeWaitForStep, runWaitForStep } from './wait-for-step.ts'
import type { Wake } from './wake.ts'

export function runSteps(course: Course, steps: CompiledStep[]): void {
  for (const step of steps) {
    if (isHalted(course)) return
    switch (step.type) {
      case 'inbox':
        runInboxStep(course, step)
        break
      case 'email':
        runEmailStep(course, step)
        break
      case 'branch':
        runBranchStep(course, step, runSteps)
        break
      case 'delay':
        runDelayStep(course, step)
        break
      case 'enrich':
        runEnrichStep(course, step)
        break
      case 'waitFor':
        runWaitForStep(course, step)
        break
      case 'exit':
        runExitStep(course, step)
        break
      case 'throttle':
        runThrottleStep(course, step)
        break
      case 'digest':
        runDigestStep(course, step)
    }
  }
}

/**
 * Goes on from the step that waited: through what is left below it, then behind it, then behind each step that it stands in.
 * A step's id is its place, because ids are unique in a version and a version never changes. False when there is no such step.
 */
export function resumeSteps(course: Course, steps: CompiledStep[], stepId: string, wake: Wake): boolean {
  for (const [index, step] of steps.entries()) {
    if (step.id === stepId) resumeStep(course, step, wake)
    else if (!stepsBelow(step).some((below) => resumeSteps(course, below, stepId, wake))) continue
    runSteps(course, steps.slice(index + 1))
    return true
  }
  return false
}

function resumeStep(course: Course, step: CompiledStep, wake: Wake): void {
  switch (step.type) {
    case 'delay':
      resumeDelayStep(course, step)
      break
    case 'enrich':
      resumeEnrichStep(course, step, wake)
      break
    case 'waitFor':
      resumeWaitForStep(course, step, wake, runSteps)
      break
    case 'digest':
      resumeDigestStep(course, step, wake)
      break
    default:
      throw new Error(`A step of type ${step.type} never waits.`)
  }
}
