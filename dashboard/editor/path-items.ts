// Finds the items of the picture that a run comes to, from the steps of a dry run.

import { END, TRIGGER, wayId } from '../flow/tree.ts'
import { type Draft, isObject, walkSteps } from './step-tree.ts'

interface TriedStep {
  stepId: string
  type: string
  outcome: string
  /** Of a branch that was taken, its key and `: ` come first. */
  reason: string | null
}

/** @param tried the steps that a run came to, in their order; none: the event starts no run */
export function pathItems(draft: Draft, tried: readonly TriedStep[]): Set<string> {
  const items = new Set<string>()
  if (tried.length === 0) return items
  items.add(TRIGGER)
  const steps = new Map(walkSteps(draft).map(({ step }) => [step.id, step]))
  for (const step of tried) {
    items.add(step.stepId)
    const way = wayOf(step, steps.get(step.stepId)?.branches)
    if (way !== undefined) items.add(wayId(step.stepId, way))
  }
  if (tried.every(({ outcome }) => outcome !== 'exited' && outcome !== 'failed')) items.add(END)
  return items
}

function wayOf({ type, outcome, reason }: TriedStep, branches: unknown): string | undefined {
  if (type === 'waitFor') return outcome
  if (type !== 'branch') return undefined
  if (outcome === 'not-taken') return ''
  const keys = Array.isArray(branches) ? branches.flatMap((branch) => (isObject(branch) ? [branch.key] : [])) : []
  return keys.find((key): key is string => typeof key === 'string' && reason?.startsWith(`${key}: `) === true)
}
