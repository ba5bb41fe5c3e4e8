// Runs a step `exit`: the run ends here (contract section 6).

import type { CompiledExitStep } from '../../domain/steps/compiled.ts'
import { addTrace, type Course } from './course.ts'

export function runExitStep(course: Course, step: CompiledExitStep): void {
  course.ended = { state: 'exited', stateReason: step.reason }
  addTrace(course, step, 'exited', step.reason, course.deps.clock.now())
}
