// What stands behind a step on the way of a run: the rest of its own list, then that of each list around it.

import type { CompiledStep } from './compiled.ts'
import { findStep, stepsBelow } from './walk.ts'

/** The steps that a run comes to after the step of this id (unique in a campaign), those of enclosing lists last. */
export function listBehind(steps: readonly CompiledStep[], stepId: string): CompiledStep[] {
  return find(steps, stepId) ?? []
}

/** What a run that waits at a step would still have come to, had nothing but time gone on: the way of an event that never came is `onTimeout`. */
export function listAhead(steps: CompiledStep[], stepId: string): CompiledStep[] {
  const step = findStep(steps, stepId)
  return [...(step?.type === 'waitFor' ? step.whenOver : []), ...listBehind(steps, stepId)]
}

function find(steps: readonly CompiledStep[], stepId: string): CompiledStep[] | undefined {
  for (const [index, step] of steps.entries()) {
    if (step.id === stepId) return steps.slice(index + 1)
    for (const below of stepsBelow(step)) {
      const found = find(below, stepId)
      if (found !== undefined) return [...found, ...steps.slice(index + 1)]
    }
  }
  return undefined
}
