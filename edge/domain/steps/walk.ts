// Ways through the tree of a campaign's steps.

import type { CompiledStep } from './compiled.ts'

/** The lists of steps that stand in a step. */
export function stepsBelow(step: CompiledStep): CompiledStep[][] {
  if (step.type === 'branch') return step.branches.map((branch) => branch.steps)
  return step.type === 'waitFor' ? [step.whenCame, step.whenOver] : []
}

/** The step of that id, however deep. */
export function findStep(steps: CompiledStep[], id: string): CompiledStep | undefined {
  for (const step of steps) {
    if (step.id === id) return step
    for (const below of stepsBelow(step)) {
      const found = findStep(below, id)
      if (found !== undefined) return found
    }
  }
  return undefined
}
