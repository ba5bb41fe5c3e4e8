// Writes steps as the text that the clipboard takes from one campaign to another, and reads it.

import { type DraftStep, isObject } from './step-tree.ts'

/** A pasted text may be anything. */
const LONGEST = 2_000_000

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
  return list.length > 0 && list.every(isStep) ? list : undefined
}
