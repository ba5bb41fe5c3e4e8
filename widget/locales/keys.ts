// What every language says: the keys of the English tables, held by the compiler.

import type { Phrase } from '../lib/translations.ts'
import type { ENGLISH } from './english.ts'

export type WordKey = keyof typeof ENGLISH
export type AllWords = Readonly<Record<WordKey, Phrase>>
