// The panel's words and times in the language that the element speaks.

import { createTimeWriter, type TimeWriter } from '../../lib/relative-time.ts'
import type { Say } from '../../lib/words.ts'
import { EN } from '../../locales/en.ts'
import type { Voice } from '../voice.ts'

export interface Speech {
  readonly say: Say
  readonly times: TimeWriter
  /** A number where there is little room. */
  short(count: number): string
  /** The language of the words: that of the panel. */
  readonly tag: string
}

/** Reads the voice at each drawing; formats are made anew only when it has changed. */
export function createSpeech(voice: Voice): () => Speech {
  let made: Speech | undefined
  voice.learn(EN)
  return () => {
    const { say, tag, short } = voice
    if (made?.say !== say) made = { say, tag, short, times: createTimeWriter(voice.locale, say('now')) }
    return made
  }
}
