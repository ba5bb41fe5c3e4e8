// Runs a step `delay`: the run waits for a time, then goes on behind it (contract section 6).

import { TemplateError } from '../../domain/expression/template.ts'
import type { CompiledDelayStep } from '../../domain/steps/compiled.ts'
import { findDelayEnd } from '../../domain/steps/delay.ts'
import { toIso } from '../../lib/clock.ts'
import { addTrace, type Course, settleTrace } from './course.ts'
import { failByTemplate } from './gates/divert.ts'

export function runDelayStep(course: Course, step: CompiledDelayStep): void {
  const at = course.deps.clock.now()
  try {
    const endsAt = findDelayEnd(step, course.scope, course.start.policy, at)
    const inputs = { from: toIso(at), until: toIso(endsAt) }
    if (endsAt <= at) {
      addTrace(course, step, 'done', `${toIso(endsAt)} was over`, at, inputs)
      return
    }
    course.wait = { stepId: step.id, dueAt: endsAt, awaits: null }
    addTrace(course, step, 'waiting', `until ${toIso(endsAt)}`, at, inputs)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    failByTemplate(course, step, error.message, at)
  }
}

/** Its time has come. */
export function resumeDelayStep(course: Course, step: CompiledDelayStep): void {
  settleTrace(course, step, 'done')
}
