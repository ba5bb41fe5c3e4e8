// Lists the texts of the widget with their words in each language, and changes a table of own texts.

import type { AppearanceText } from '../../../contract/api.ts'
import type { Translations } from '../../../widget/lib/translations.ts'
import { BUNDLED_LANGUAGES } from '../../../widget/locales/bundled-languages.ts'
import { ENGLISH } from '../../../widget/locales/english.ts'
import { LANGUAGES, languageOf } from '../../../widget/locales/languages.ts'

export type Texts = Record<string, Record<string, AppearanceText>>

const WORDS: Translations = ENGLISH

/** @returns The widget's own words in a language. */
export async function loadWords(locale: string): Promise<Translations> {
  const load = BUNDLED_LANGUAGES[languageOf(locale)]
  return load === undefined ? WORDS : (await load()).words
}

/** @returns The languages of the widget, and those that have own texts. */
export function localesOf(texts: Texts): string[] {
  return [...new Set([...LANGUAGES, ...Object.keys(texts)])].sort()
}

export interface TextRow {
  key: string
  /** The English words, by which people find the text. */
  english: string
  /** The plural forms of the text in the language; empty for a text without. */
  forms: Intl.LDMLPluralRule[]
}

/** @returns A row for each text of the widget, and for each own text that the widget does not know. */
export function rowsOf(own: Readonly<Record<string, AppearanceText>>, locale: string): TextRow[] {
  const keys = [...new Set([...Object.keys(WORDS), ...Object.keys(own)])]
  return keys.map((key) => {
    const english = WORDS[key] ?? own[key] ?? ''
    const forms = typeof english === 'string' ? [] : formsOf(locale)
    return { key, english: wordsOf(english), forms }
  })
}

function formsOf(locale: string): Intl.LDMLPluralRule[] {
  return new Intl.PluralRules(locale).resolvedOptions().pluralCategories
}

/** @param form Undefined for a text without plural forms. @returns Empty where there is none. */
export function wordsOf(text: AppearanceText | undefined, form: Intl.LDMLPluralRule = 'other'): string {
  return typeof text === 'object' ? (text[form] ?? '') : form === 'other' ? (text ?? '') : ''
}

/** @returns The texts with one of them changed; an empty one is left out, and the widget's own stands. */
export function withText(texts: Texts, locale: string, key: string, words: string, form?: Intl.LDMLPluralRule): Texts {
  const { [locale]: own = {}, ...others } = texts
  const { [key]: former, ...rest } = own
  const text = form === undefined ? words : withForm(former, form, words)
  const isEmpty = typeof text === 'string' ? text === '' : Object.keys(text).length === 0
  const changed = isEmpty ? rest : { ...own, [key]: text }
  return Object.keys(changed).length === 0 ? others : { ...texts, [locale]: changed }
}

function withForm(former: AppearanceText | undefined, form: Intl.LDMLPluralRule, words: string): AppearanceText {
  const forms = typeof former === 'object' ? former : former === undefined ? {} : { other: former }
  const { [form]: _, ...rest } = forms
  return words === '' ? rest : { ...rest, [form]: words }
}
