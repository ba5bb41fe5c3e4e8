// Records the messages that a run would have sent when it ends early: by a gate, a failure, or a cancellation.

import type { SkippedRun } from '../domain/plan.ts'
import type { TraceInputs, TraceStep } from '../domain/tracked-event.ts'
import type { CompiledStep, RunState, Unsent } from './compiled.ts'
import { TemplateError } from './expression/template.ts'
import { createUnsentMessage, type SendStep } from './message.ts'
import { passesOver, reachStep } from './run-again.ts'
import { copyAgain, originOf, toRun } from './run-state.ts'
import { addTrace } from './trace.ts'
import { allSteps, findStep, stepsAfter, stepsRemaining } from './walk.ts'

/** Returns the run as it ends at this step, with records of its unsent messages. The original run is not changed. */
export function skipRun(run: RunState, step: CompiledStep, reason: string, inputs: TraceInputs): SkippedRun {
  const skipped: RunState = {
    ...run,
    branches: [...run.branches],
    trace: [...run.trace],
    messages: [...run.messages],
    gates: [],
    again: run.again && copyAgain(run.again),
  }
  addTrace(skipped, step, 'skipped', reason, run.deps.clock.now(), inputs, reason)
  skipSteps(skipped, stepsAfter(run.start.campaign.steps, step.id), { status: 'skipped', statusReason: reason }, true)
  return { run: toRun(skipped, { state: 'completed', stateReason: reason }), messages: skipped.messages }
}

/** Runs `render`; a TemplateError fails the run by `fail`. @throws every other error */
export function orFail(render: () => void, fail: (error: TemplateError) => void): void {
  try {
    render()
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    fail(error)
  }
}

/** Fails the run because of a template of this step; a sending step has recorded its own message. `at`: epoch ms. */
export function failByTemplate(run: RunState, step: CompiledStep, error: TemplateError, at: number): void {
  addTrace(run, step, 'failed', `render-error: ${error.message}`, at, undefined, 'render-error')
  failRun(run, step, 'render-error')
}

/** Ends the run as failed after a step whose trace is written, with a record of each later message. */
export function failRun(
  run: RunState,
  step: Pick<CompiledStep, 'id'>,
  reason: 'render-error' | 'enricher-error',
): void {
  skipSteps(run, stepsAfter(run.start.campaign.steps, step.id), { status: 'failed', statusReason: reason }, true)
  run.ended = { state: 'failed', stateReason: reason }
}

/**
 * Records each message that would certainly have come of a run that ends where it waits. Evaluates nothing: what the run
 * would evaluate may be the reason why it ends.
 */
export function skipRemaining(run: RunState, stepId: string, unsent: Unsent): void {
  const { steps } = run.start.campaign
  const postponed = run.wasPostponed ? findStep(steps, stepId) : undefined
  const remaining = postponed === undefined ? stepsRemaining(steps, stepId) : [postponed, ...stepsAfter(steps, stepId)]
  skipSteps(run, remaining, unsent, false)
}

/** `evaluates`: whether branches are taken like in a run, because they decide which messages there would have been. */
function skipSteps(run: RunState, steps: readonly CompiledStep[], unsent: Unsent, evaluates: boolean): void {
  run.isOver = true
  for (const step of steps) {
    if (run.ended !== null) return
    if (run.again !== null) {
      if (passesOver(run.again, step, (inner) => skipSteps(run, inner, unsent, evaluates))) continue
      reachStep(run, step)
    }
    if (step.skip !== undefined && (evaluates || step.skipEvaluates !== true)) {
      step.skip(run, unsent, (run, inner) => skipSteps(run, inner, unsent, evaluates))
      continue
    }
    addTrace(run, step, 'skipped', unsent.statusReason, run.deps.clock.now(), undefined, unsent.statusReason)
    // What follows a branch that may end the run would not certainly have come.
    const mayEnd = allSteps(step.inner.flat()).some(({ ends }) => ends === true)
    if (mayEnd) run.ended = { state: 'exited', stateReason: null }
  }
}

/** Implements `skip` for every step that sends: records its message with the reason. */
export function skipSend(run: RunState, step: SendStep, unsent: Unsent): void {
  recordUnsent(run, step, unsent, { outcome: 'skipped', reason: unsent.statusReason, at: run.deps.clock.now() })
}

/** Records a message that is not sent, and the outcome of its step. `at`: start of the step (epoch ms). */
export function recordUnsent(
  run: RunState,
  step: SendStep,
  unsent: Unsent,
  traced: Pick<TraceStep, 'outcome' | 'reason' | 'at'> & { inputs?: TraceInputs | undefined },
): void {
  const { category } = run.start.campaign.definition
  const id = run.deps.ids.message.next()
  run.messages.push(createUnsentMessage(id, step, originOf(run, traced.at), unsent, category))
  addTrace(run, step, traced.outcome, traced.reason, traced.at, traced.inputs)
}
