// What every language says: the keys of the English tables, held by the compiler.

import type { Phrase } from '../lib/words.ts'
import type { EN } from './en.ts'
import type { EN_BELL } from './en-bell.ts'

export type WordKey = keyof typeof EN | keyof typeof EN_BELL
export type AllWords = Readonly<Record<WordKey, Phrase>>
