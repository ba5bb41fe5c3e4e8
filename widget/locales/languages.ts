// The languages of the panel, each loaded when it is wanted. A new one: its file beside this one, and a line here.

import type { Words } from '../lib/words.ts'
import { EN } from './en.ts'

export interface Language {
  tag: string
  words: Words
}

const LANGUAGES: Readonly<Record<string, () => Promise<Words>>> = {
  en: () => Promise.resolve(EN),
}

/** The words of the language that the locale names, else of English. */
export async function loadLanguage(locale: string): Promise<Language> {
  const tag = new Intl.Locale(locale).language
  const load = LANGUAGES[locale] ?? LANGUAGES[tag]
  return load === undefined ? { tag: 'en', words: EN } : { tag, words: await load() }
}
