// Gives elements that show the widget the words and the look of a notification config.

import type { AppearanceSheet } from '../../widget/elements/appearance.ts'
import { I18n } from '../../widget/elements/i18n.ts'
import type { Translations } from '../../widget/lib/translations.ts'
import { BUNDLED_LANGUAGES } from '../../widget/locales/bundled-languages.ts'
import { languageOf } from '../../widget/locales/languages.ts'
import type { ConfigFields } from '../api/tenant.ts'

type Look = ConfigFields['widget']

/** What an element shows at a time; without a look, that of the widget itself. */
export interface ShownLook {
  look: Look | undefined
  locale: string
}

/** @returns the words of the locale: those of the config come before the widget's own */
export function createConfigI18n(element: HTMLElement, shown: () => ShownLook, onChange: () => void): I18n {
  const texts = (locale: string) => shown().look?.texts[locale] as Translations | undefined
  return new I18n({
    element,
    locale: () => shown().locale,
    // Texts of a more specific language, such as `de-AT`, come before those of `de`.
    overrides: () => [texts(shown().locale), texts(languageOf(shown().locale))],
    parts: () => ({ loadLanguage: (tag) => (BUNDLED_LANGUAGES[tag] ?? noWords)() }),
    onChange,
  })
}

export function applyLook(sheet: AppearanceSheet, root: ShadowRoot, look: Look | undefined): void {
  const { theme, accentColor } = look ?? { theme: 'auto', accentColor: null }
  sheet.apply(root, { mode: null, theme: null }, { theme, accentColor, texts: {} })
}

const noWords = () => Promise.reject(new Error('There are no words for this language.'))
