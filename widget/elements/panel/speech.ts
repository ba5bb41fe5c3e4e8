// The panel's words and times in the page's language, loaded when that becomes known or changes (contract section 13, `locale`).

import { createTimeWriter, type TimeWriter } from '../../lib/relative-time.ts'
import { createSay, type Say, usableLocale } from '../../lib/words.ts'
import { EN } from '../../locales/en.ts'
import { EN_BELL } from '../../locales/en-bell.ts'
import { loadLanguage } from '../../locales/languages.ts'

export interface Speech {
  readonly say: Say
  readonly times: TimeWriter
  /** The language of the words: that of the panel. */
  readonly tag: string
  /** Looks whether the page speaks another language now. */
  follow(): void
}

export function createSpeech(element: HTMLElement & { locale: string | null }, onChange: () => void): Speech {
  let locale = ''
  let tag = 'en'
  let say = createSay('en', 'en', EN, EN_BELL)
  let times = createTimeWriter('en', say('now'))

  const speak = async (wanted: string): Promise<void> => {
    const language = await loadLanguage(wanted)
    if (wanted !== locale) return
    tag = language.tag
    say = createSay(wanted, tag, language.words, EN_BELL)
    // Times in the language of the words: half a sentence in each would be worse than English.
    times = createTimeWriter(new Intl.Locale(wanted).language === tag ? wanted : tag, say('now'))
    onChange()
  }
  return {
    get say() {
      return say
    },
    get times() {
      return times
    },
    get tag() {
      return tag
    },
    follow: () => {
      const page = element.closest('[lang]')?.getAttribute('lang')
      const wanted = usableLocale(element.locale, page, navigator.language)
      if (wanted === locale) return
      locale = wanted
      void speak(wanted)
    },
  }
}
