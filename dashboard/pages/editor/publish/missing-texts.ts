// Finds languages that one message of a draft has and another lacks, and parts that a language lacks.

import { type Draft, isObject, type Path, walkSteps } from '../../../editor/step-tree.ts'

/** Parts that readers see; a mail's body is one of the last two. */
const PARTS = ['title', 'body', 'subject', 'preheader'] as const
const BODIES = ['html', 'markdown'] as const

export interface MissingText {
  words: string
  path: Path
  stepId: string | undefined
}

/** @returns one entry for each step and language; an empty list where the draft has one language alone */
export function missingTextsOf(draft: Draft): MissingText[] {
  const sending = walkSteps(draft).filter(({ step }) => step.type === 'inbox' || step.type === 'email')
  const localesOf = (step: object): readonly string[] =>
    'locales' in step && isObject(step.locales)
      ? Object.entries(step.locales).flatMap(([key, value]) => (value == null ? [] : [key]))
      : []
  const all = new Map<string, unknown>()
  for (const { step } of sending) for (const locale of localesOf(step)) if (!all.has(locale)) all.set(locale, step.id)
  return sending.flatMap(({ step, path }) => {
    const stepId = typeof step.id === 'string' ? step.id : undefined
    const own = localesOf(step)
    const lacking = [...all].filter(([locale]) => !own.includes(locale))
    const ofSteps = lacking.map(([locale, from]) => ({
      words: `“${step.id}” has no texts in ${locale}, which “${from}” has: its readers get the standard ones.`,
      path,
      stepId,
    }))
    const ofParts = own.flatMap((locale) => {
      const missing = missingParts(step, (step.locales as Record<string, unknown>)[locale])
      if (missing.length === 0) return []
      const words = `“${step.id}” lacks its ${missing.join(' and ')} in ${locale}: readers get the standard one.`
      return [{ words, path: [...path, 'locales', locale], stepId }]
    })
    return [...ofSteps, ...ofParts]
  })
}

function missingParts(step: Readonly<Record<string, unknown>>, texts: unknown): string[] {
  const given = isObject(texts) ? texts : {}
  const parts = PARTS.filter((part) => isWritten(step[part]) && !isWritten(given[part]))
  const hasBody = BODIES.some((part) => isWritten(given[part]))
  return hasBody || !BODIES.some((part) => isWritten(step[part])) ? [...parts] : [...parts, 'text']
}

const isWritten = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
