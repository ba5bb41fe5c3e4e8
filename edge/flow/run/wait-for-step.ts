// Runs a step `waitFor`: the run waits for an event of its user, then takes one of two ways (contract section 6).

import type { Json } from '../../domain/json.ts'
import { type TraceInputs, tellValue, withArrivals } from '../../domain/run/trace-inputs.ts'
import type { CompiledWaitForStep } from '../../domain/steps/compiled.ts'
import { toIso } from '../../lib/clock.ts'
import { addTrace, type Course, type RunSteps, settleTrace } from './course.ts'
import type { Wake } from './wake.ts'

export function runWaitForStep(course: Course, step: CompiledWaitForStep): void {
  const at = course.deps.clock.now()
  const dueAt = at + step.timeoutMs
  course.wait = { stepId: step.id, dueAt, awaits: step.event }
  const where = step.where === null ? null : tellValue(step.where.source)
  const inputs = { event: step.event, where, from: toIso(at), until: toIso(dueAt) }
  addTrace(course, step, 'waiting', `for ${step.event} until ${toIso(dueAt)}`, at, inputs)
}

/** What woke it decides the way; behind either the run goes on behind the step. */
export function resumeWaitForStep(course: Course, step: CompiledWaitForStep, wake: Wake, runSteps: RunSteps): void {
  if (wake.by === 'event') {
    course.scope.awaited = wake.awaited
    settleTrace(course, step, 'taken', `${step.event} came: ${wake.eventId}`, tellLooked(course, step, wake.looked))
    runSteps(course, step.whenCame)
    return
  }
  settleTrace(
    course,
    step,
    'not-taken',
    `${step.event} did not come in time${wake.by === 'timer' && wake.tried ? `; ${wake.tried}` : ''}`,
    tellLooked(course, step, wake.by === 'timer' ? wake.looked : undefined),
  )
  runSteps(course, step.whenOver)
}

/** With what it looked at before, in turns that did not end it. */
function tellLooked(course: Course, step: CompiledWaitForStep, looked: Json[] | undefined): TraceInputs {
  const entry = course.trace.findLast((one) => one.stepId === step.id && one.outcome === 'waiting')
  const { arrivals, arrived } = withArrivals(entry?.inputs, looked)
  return { arrivals: arrivals ?? 0, arrived: arrived ?? [] }
}
