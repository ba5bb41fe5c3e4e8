// Finds which texts a locale of a step lacks, and which locales a draft has.

import { withHyphens } from '../../../../contract/locale.ts'
import { type Draft, isObject, walkSteps } from '../../../editor/step-tree.ts'

/** A text of a step that each locale may have, under one of its keys. */
export interface LocalizedPart {
  label: string
  keys: readonly string[]
}

export const INBOX_PARTS: readonly LocalizedPart[] = [
  { label: 'title', keys: ['title'] },
  { label: 'body', keys: ['body'] },
]
export const EMAIL_PARTS: readonly LocalizedPart[] = [
  { label: 'subject', keys: ['subject'] },
  { label: 'preheader', keys: ['preheader'] },
  { label: 'body', keys: ['html', 'markdown'] },
  { label: 'text part', keys: ['text'] },
]

const hasText = (texts: unknown, { keys }: LocalizedPart): boolean =>
  isObject(texts) && keys.some((key) => typeof texts[key] === 'string' && /\S/.test(texts[key]))

/** @returns the labels of parts that the step has and the locale has not: its users get those of the step */
export function missingIn(step: unknown, texts: unknown, parts: readonly LocalizedPart[]): string[] {
  return parts.filter((part) => hasText(step, part) && !hasText(texts, part)).map(({ label }) => label)
}

/** @returns the tags of the locales of a step, in their order */
export const localesOf = (step: unknown): string[] =>
  isObject(step) && isObject(step.locales) ? Object.keys(step.locales) : []

/** @returns the locales that any step of the draft has */
export function localesInUse(draft: Draft): string[] {
  return [...new Set(walkSteps(draft).flatMap(({ step }) => localesOf(step)))]
}

const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** @returns such as "Canadian French"; the tag itself where it has no name */
export function localeName(tag: string): string {
  try {
    return NAMES.of(withHyphens(tag).replaceAll('_', '-')) ?? tag
  } catch {
    return tag
  }
}
