// The other way of a run that a throttle stops or a digest gathers: it ends at once, and what it would have sent is recorded as
// skipped with that reason (contract sections 6 and 7). Nothing waits, nobody is called, nothing is sent.

import type { Diversion } from '../../domain/gate.ts'
import { listBehind } from '../../domain/steps/behind.ts'
import type { CompiledEmailStep, CompiledInboxStep, CompiledStep } from '../../domain/steps/compiled.ts'
import { createUnsentMessage } from '../create-message.ts'
import { runBranchStep } from './branch-step.ts'
import { addTrace, type Course, originOf, toRun } from './course.ts'

/** The run as it is up to this step, and then ended by it. The course itself goes on untouched. */
export function divert(course: Course, step: CompiledStep, reason: 'throttled' | 'digested'): Diversion {
  const other: Course = {
    ...course,
    branches: [...course.branches],
    trace: [...course.trace],
    messages: [...course.messages],
    gates: [],
  }
  addTrace(other, step, 'skipped', reason, course.deps.clock.now())
  pass(other, listBehind(course.start.campaign.steps, step.id), reason)
  return { run: toRun(other, { state: 'completed', stateReason: reason }), messages: other.messages }
}

/** Walks without doing: branches are taken as ever, for they say which messages there would have been. */
function pass(course: Course, steps: readonly CompiledStep[], reason: string): void {
  for (const step of steps) {
    if (course.ended !== null) return
    const at = course.deps.clock.now()
    switch (step.type) {
      case 'branch':
        runBranchStep(course, step, (below, inner) => pass(below, inner, reason))
        break
      case 'inbox':
      case 'email':
        course.messages.push(recordOf(course, step, reason, at))
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

function recordOf(course: Course, step: CompiledInboxStep | CompiledEmailStep, reason: string, at: number) {
  const category = course.start.campaign.definition.category
  const unsent = { status: 'skipped', statusReason: reason } as const
  return createUnsentMessage(course.deps.ids.message.next(), step, originOf(course, at), unsent, category)
}
