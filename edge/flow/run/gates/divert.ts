// The other way of a run that a throttle stops, a digest gathers, a fault ends or somebody cancels: it ends at once, and what it would
// have sent is recorded with that reason (contract sections 6 and 7). Nothing waits, nobody is called, nothing is sent.

import type { Diversion } from '../../../domain/gate.ts'
import type { TraceInputs } from '../../../domain/run/trace-inputs.ts'
import { listAhead, listBehind } from '../../../domain/steps/behind.ts'
import type { CompiledEmailStep, CompiledInboxStep, CompiledStep } from '../../../domain/steps/compiled.ts'
import { createUnsentMessage, type Unsent } from '../../create-message.ts'
import { runBranchStep } from '../branch-step.ts'
import { addTrace, type Course, originOf, toRun } from '../course.ts'

/** The run as it is up to this step, and then ended by it. The course itself goes on untouched. */
export function divert(
  course: Course,
  step: CompiledStep,
  reason: 'throttled' | 'digested',
  inputs: TraceInputs,
): Diversion {
  const other: Course = {
    ...course,
    branches: [...course.branches],
    trace: [...course.trace],
    messages: [...course.messages],
    gates: [],
  }
  addTrace(other, step, 'skipped', reason, course.deps.clock.now(), inputs)
  recordUnsent(other, listBehind(course.start.campaign.steps, step.id), { status: 'skipped', statusReason: reason })
  return { run: toRun(other, { state: 'completed', stateReason: reason }), messages: other.messages }
}

/** A step fails by its template; one that sends has recorded its own message. */
export function failByTemplate(course: Course, step: CompiledStep, detail: string, at: number): void {
  addTrace(course, step, 'failed', `render-error: ${detail}`, at)
  failUnsent(course, step, 'render-error')
}

/** A step whose trace says already how it failed ends the run, and each message that the run would have come to says so. */
export function failUnsent(course: Course, step: CompiledStep, reason: 'render-error' | 'enricher-error'): void {
  recordUnsent(course, listBehind(course.start.campaign.steps, step.id), { status: 'failed', statusReason: reason })
  course.ended = { state: 'failed', stateReason: reason }
}

/** A run ends where it waits: each message that it would still have come to says why not. */
export function recordAhead(course: Course, stepId: string, unsent: Unsent): void {
  recordUnsent(course, listAhead(course.start.campaign.steps, stepId), unsent)
}

/** Walks without doing: branches are taken as ever, for they say which messages there would have been. */
function recordUnsent(course: Course, steps: readonly CompiledStep[], unsent: Unsent): void {
  const reason = unsent.statusReason
  for (const step of steps) {
    if (course.ended !== null) return
    const at = course.deps.clock.now()
    switch (step.type) {
      case 'branch':
        runBranchStep(course, step, (below, inner) => recordUnsent(below, inner, unsent))
        break
      case 'waitFor':
        addTrace(course, step, 'skipped', reason, at)
        recordUnsent(course, step.whenOver, unsent)
        break
      case 'inbox':
      case 'email':
        course.messages.push(recordOf(course, step, unsent, at))
        addTrace(course, step, 'skipped', reason, at)
        break
      case 'exit':
        course.ended = { state: 'exited', stateReason: step.reason }
        addTrace(course, step, 'skipped', reason, at)
        break
      default:
        addTrace(course, step, 'skipped', reason, at)
    }
  }
}

function recordOf(course: Course, step: CompiledInboxStep | CompiledEmailStep, unsent: Unsent, at: number) {
  const category = course.start.campaign.definition.category
  return createUnsentMessage(course.deps.ids.message.next(), step, originOf(course, at), unsent, category)
}
