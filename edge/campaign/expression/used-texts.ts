// Finds in a template, without parsing it, which snippets it renders and which translations it prints.

import { listParts } from './template-parts.ts'

/** Snippets within snippets. */
export const MAX_SNIPPET_LEVELS = 8

const SNIPPET = /\brender\s*(?:"([^"]*)"|'([^']*)')/g
/** A text that is the first value of an output, an assignment or an `echo`, and goes to the filter at once. */
const KEY = /(?:\{\{-?|=|\becho)\s*(?:"([^"]*)"|'([^']*)')\s*\|\s*t\b/g
const ANY_KEY = /\|\s*t\b/g

export interface UsedTexts {
  snippets: string[]
  /** Keys that are written as texts. */
  keys: string[]
  /** Whether other keys are values that only a run knows. */
  isOpen: boolean
}

const NONE: UsedTexts = { snippets: [], keys: [], isOpen: false }

/** Joins the tags and outputs of a template; what is between them is text. */
function liquidIn(source: string): string {
  return listParts(source)
    .map(({ start, end }) => source.slice(start, end))
    .join('\n')
}

function textsOf(liquid: string, pattern: RegExp): string[] {
  return [...liquid.matchAll(pattern)].map(([, double, single]) => double ?? single ?? '')
}

/** @returns what a template uses; what stands in a comment counts as well */
export function usedTextsIn(source: string): UsedTexts {
  if (!/\|\s*t\b|\brender\b/.test(source)) return NONE
  const liquid = liquidIn(source)
  const keys = textsOf(liquid, KEY)
  const isOpen = (liquid.match(ANY_KEY)?.length ?? 0) > keys.length
  return { snippets: [...new Set(textsOf(liquid, SNIPPET))], keys: [...new Set(keys)], isOpen }
}
