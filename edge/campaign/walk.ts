// Walks the tree of a campaign's compiled steps.

import type { CompiledStep } from './compiled.ts'

/** Finds the step with this id at any depth; undefined when there is none. */
export function findStep(steps: readonly CompiledStep[], id: string): CompiledStep | undefined {
  for (const step of steps) {
    if (step.id === id) return step
    for (const inner of step.inner) {
      const found = findStep(inner, id)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Lists all steps of any depth in their written order. */
export function allSteps(steps: readonly CompiledStep[]): CompiledStep[] {
  return steps.flatMap((step) => [step, ...step.inner.flatMap(allSteps)])
}

/** Lists the names of the events that steps wait for, each once. */
export function listAwaited(steps: readonly CompiledStep[]): string[] {
  const ends = allSteps(steps).map(({ endsBy }) => endsBy)
  return [...new Set(ends.flatMap((end) => (end?.by === 'event' ? [end.event] : [])))].sort()
}

/** Returns the steps after the step with this id: the rest of its own list, then of each list around it. */
export function stepsAfter(steps: readonly CompiledStep[], stepId: string): CompiledStep[] {
  return find(steps, stepId) ?? []
}

/** Returns the later steps of a run that waits at this step if only time passed: those of `onTimeout` first. */
export function stepsRemaining(steps: readonly CompiledStep[], stepId: string): CompiledStep[] {
  return [...(findStep(steps, stepId)?.whenOver ?? []), ...stepsAfter(steps, stepId)]
}

function find(steps: readonly CompiledStep[], stepId: string): CompiledStep[] | undefined {
  for (const [index, step] of steps.entries()) {
    if (step.id === stepId) return steps.slice(index + 1)
    for (const inner of step.inner) {
      const found = find(inner, stepId)
      if (found !== undefined) return [...found, ...steps.slice(index + 1)]
    }
  }
  return undefined
}
