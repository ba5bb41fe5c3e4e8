// Lists the languages in which a step is previewed, and what the service is asked for each.

import { type DraftStep, isObject } from '../../../editor/step-tree.ts'

/** A locale of which no step has texts: the step's own are shown. ISO 639 has it for "no linguistic content". */
const NO_LANGUAGE = 'zxx'

export interface PreviewLocale {
  /** Names the tab. */
  key: string
  label: string
  /** Takes the place of the user's; undefined leaves that. */
  locale?: string
}

/** @returns at first as the user reads it; none where the step has texts in one language alone */
export function localesOf(step: DraftStep | undefined, userLocale: string | null | undefined): PreviewLocale[] {
  const written = isObject(step?.locales) ? Object.keys(step.locales) : []
  if (written.length === 0) return []
  return [
    { key: 'user', label: userLocale ? `User (${userLocale})` : 'User' },
    { key: 'own', label: 'Standard', locale: NO_LANGUAGE },
    ...written.map((locale) => ({ key: `in ${locale}`, label: locale, locale })),
  ]
}
