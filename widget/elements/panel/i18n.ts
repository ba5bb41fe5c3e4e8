// The panel's texts and times in the language of the element.

import { createTimeWriter, type TimeWriter } from '../../lib/relative-time.ts'
import type { Translate } from '../../lib/translations.ts'
import { EN } from '../../locales/en.ts'
import type { I18n } from '../i18n.ts'

/** The object is another one when the language has changed. */
export interface PanelI18n {
  readonly t: Translate
  readonly times: TimeWriter
  /** A number where there is little room. */
  short(count: number): string
  /** The language of the texts. */
  readonly tag: string
  /** Formats times and numbers. */
  readonly locale: string
}

/** @returns a function that reads the language as it is now; formats are made anew only when it has changed */
export function createPanelI18n(i18n: I18n): () => PanelI18n {
  let made: PanelI18n | undefined
  i18n.learn(EN)
  return () => {
    const { t, tag, short, locale } = i18n
    if (made?.t !== t) made = { t, tag, short, locale, times: createTimeWriter(locale, t('now')) }
    return made
  }
}
