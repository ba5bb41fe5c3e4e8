// Lists the languages that there are words in, and finds the words of one.

import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'
import type { AccountWords, EdgeWords } from './words.ts'

const LANGUAGES: Readonly<Record<string, EdgeWords>> = { ar, de, en, es, fr, he, it, ja, nl, pl, pt, sv }

const findWords = (language: string): EdgeWords | undefined =>
  Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined

export interface Chosen<Words> {
  /** Its code, such as `de`. */
  lang: string
  dir: 'ltr' | 'rtl'
  words: Words
}

/** @returns the words of the first of these languages that there are words in, else the English ones */
export function chooseWords(wanted: readonly string[]): Chosen<EdgeWords> {
  const lang = wanted.find((language) => findWords(language) !== undefined) ?? 'en'
  const words = findWords(lang) ?? en
  return { lang, dir: words.dir ?? 'ltr', words }
}

/** @returns the words of account mails in a language, else in English */
export function accountWordsOf(language: string): Omit<Chosen<AccountWords>, 'dir'> {
  const account = findWords(language)?.account
  return account === undefined ? { lang: 'en', words: en.account } : { lang: language, words: account }
}
