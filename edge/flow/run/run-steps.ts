// Walks the steps of a run up to its end (house section 3). The only list of what runs which type: a new step is a file beside this one and a case here.

import type { CompiledStep } from '../../domain/steps/compiled.ts'
import { runBranchStep } from './branch-step.ts'
import type { Course } from './course.ts'
import { runEmailStep } from './email-step.ts'
import { runExitStep } from './exit-step.ts'
import { runInboxStep } from './inbox-step.ts'
import { runThrottleStep } from './throttle-step.ts'

export function runSteps(course: Course, steps: CompiledStep[]): void {
  for (const step of steps) {
    if (course.ended !== null) return
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
      case 'exit':
        runExitStep(course, step)
        break
      case 'throttle':
        runThrottleStep(course, step)
    }
  }
}
