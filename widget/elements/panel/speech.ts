// The panel's words and times in the language that the element speaks (contract section 13, `locale`).

import { createTimeWriter, type TimeWriter } from '../../lib/relative-time.ts'
import { createSay, type Say, shortCount } from '../../lib/words.ts'
import { EN } from '../../locales/en.ts'
import { EN_BELL } from '../../locales/en-bell.ts'
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
  let made: { speech: Speech; say: Say } | undefined
  return () => {
    if (made?.say !== voice.say) {
      const say = createSay(voice.locale, voice.tag, ...voice.tables, EN, EN_BELL)
      const { locale, tag } = voice
      const times = createTimeWriter(locale, say('now'))
      made = { say: voice.say, speech: { say, tag, times, short: (count) => shortCount(locale, count) } }
    }
    return made.speech
  }
}
