// Passes over the steps of a run that is run again, up to the step with which it begins.

import type { AgainSteps } from '../domain/run/run-wait.ts'
import type { TraceStep } from '../domain/tracked-event.ts'
import type { CompiledStep, RunState } from './compiled.ts'
import { allSteps } from './walk.ts'

/**
 * Returns whether the step does not run: it stands before the one with which the run begins, or after the only one. Of a step
 * around one that is to run, `enter` gets the inner steps.
 */
export function passesOver(
  again: AgainSteps,
  step: CompiledStep,
  enter: (inner: readonly CompiledStep[]) => void,
): boolean {
  const [next] = again.steps
  if (next === undefined) return again.isOnly === true
  if (step.id === next) return false
  for (const inner of step.inner) {
    if (allSteps(inner).some(({ id }) => again.steps.includes(id))) enter(inner)
  }
  return true
}

/** Notes that a step runs: once the last one has, those after it run as in any run. */
export function reachStep(run: RunState, { id }: CompiledStep): void {
  const { again } = run
  if (again === null || again.steps[0] !== id) return
  again.steps.shift()
  if (again.steps.length === 0 && again.isOnly !== true) run.again = null
}

/** Returns the ids of the steps that run up to the one with this id: what has to be fetched again for it, and itself. */
export function stepsUpTo(
  steps: readonly CompiledStep[],
  stepId: string,
  enriched: ReadonlySet<string>,
): string[] | undefined {
  const path = pathTo(steps, stepId)
  if (path === undefined) return undefined
  const all = allSteps(steps)
  const before = new Set(
    all.slice(
      0,
      all.findIndex(({ id }) => id === stepId),
    ),
  )
  return all.flatMap((step) => {
    if (step.id === stepId) return [stepId]
    const isFetched = step.type === 'enrich' && before.has(step) && (enriched.has(step.id) || path.has(step))
    return isFetched ? [step.id] : []
  })
}

/** Returns the steps before this one that every run to it passes; undefined when there is no such step. */
function pathTo(steps: readonly CompiledStep[], stepId: string): Set<CompiledStep> | undefined {
  for (const [index, step] of steps.entries()) {
    const before = steps.slice(0, index)
    if (step.id === stepId) return new Set(before)
    for (const inner of step.inner) {
      const path = pathTo(inner, stepId)
      if (path !== undefined) return new Set([...before, ...path])
    }
  }
  return undefined
}

/** Returns the first entry of the trace. It has no step: nothing counts it as one. */
export function againEntry({ reason }: { reason: string }, at: number): TraceStep {
  return { stepId: '', type: 'again', outcome: 'done', reason, at, durationMs: 0 }
}
