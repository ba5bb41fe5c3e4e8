// Writes steps as the text that the clipboard takes from one campaign to another, and reads it.

import { LIMITS } from '../../contract/limits.ts'
import { type DraftStep, isObject, walkSteps } from './step-tree.ts'

/** A pasted text may be anything. A campaign has 200 steps; more would stop the page, and so would deeper values. */
const LONGEST = 2_000_000
const MOST_STEPS = 200

export const printCopied = (steps: readonly DraftStep[]): string => JSON.stringify({ steps }, null, 2)

/** @returns the steps of a text that has some: copied ones, one step or a list as JSON; undefined for another text */
export function readCopied(text: string): DraftStep[] | undefined {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const list = isObject(value) && Array.isArray(value.steps) ? value.steps : Array.isArray(value) ? value : [value]
  const isStep = (step: unknown): step is DraftStep => isObject(step) && typeof step.type === 'string'
  if (list.length === 0 || !list.every(isStep) || isDeeper(list, LIMITS.nestingLevels)) return undefined
  return walkSteps({ steps: list }).length > MOST_STEPS ? undefined : list
}

/** Whether a value has more levels than a body of the API. Looks no deeper, so that no value is too deep for it. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
