// In which language the element speaks: the page's, whose words are loaded when they are wanted; the page may put its own in place of any.

import { createSay, type Phrase, type Say, shortCount, usableLocale, type Words } from '../lib/words.ts'
import { EN_BELL } from '../locales/en-bell.ts'
import { languageOf } from '../locales/languages.ts'
import type { Parts } from './parts.ts'

export interface Voice {
  /** Formats times and numbers; of the same language as the words. */
  readonly locale: string
  /** The language of the words. */
  readonly tag: string
  /** Says the page's own words, else those of the language, else the English ones that it has learnt. */
  readonly say: Say
  /** A number where there is little room. */
  short(count: number): string
  /** English words of a part that is there now. */
  learn(words: Words): void
  /** Looks whether another language is wanted now. */
  follow(): void
}

/** Which way the words of this language run; an element whose `locale` is set follows it and not the page. */
export const directionOf = (tag: string): 'rtl' | 'ltr' => (/ar|he/.test(tag) ? 'rtl' : 'ltr')

/** What the voice reads off the element. */
export interface Speaker extends HTMLElement {
  locale: string | null
  texts: Words | null | undefined
}

/** `onChange` is called when the words of another language are there. */
export function createVoice(element: Speaker, parts: () => Parts | undefined, onChange: () => void): Voice {
  let [wanted, wantedTag, locale, tag] = ['', 'en', 'en', 'en']
  const english: Record<string, Phrase> = { ...EN_BELL }
  let words: Words = english
  let own: Words | null | undefined
  let say = createSay(locale, tag, words)

  const speak = (): void => {
    // Times in the language of the words: half a sentence in each would be worse than English.
    locale = languageOf(wanted) === tag ? wanted : tag
    own = element.texts
    say = createSay(locale, tag, own ?? {}, words, english)
  }
  const load = async (next: string): Promise<void> => {
    // Not to be had now: the words that are there go on, and the next look asks again.
    const loaded = await parts()
      ?.loadLanguage(next)
      .catch(() => undefined)
    if (wantedTag !== next) return
    if (loaded === undefined) {
      wantedTag = tag
      return
    }
    tag = next
    words = loaded.words
    speak()
    onChange()
  }
  return {
    get locale() {
      return locale
    },
    get tag() {
      return tag
    },
    get say() {
      return say
    },
    short: (count) => shortCount(locale, count),
    learn: (more) => void Object.assign(english, more),
    follow: () => {
      const page = element.closest('[lang]')?.getAttribute('lang')
      const next = usableLocale(element.locale, page, navigator.language)
      if (next === wanted && own === element.texts && wantedTag === languageOf(next)) return
      wanted = next
      const nextTag = languageOf(next)
      if (nextTag === 'en' && tag !== 'en') [tag, words] = ['en', english]
      if (nextTag !== wantedTag) {
        wantedTag = nextTag
        if (nextTag !== 'en') void load(nextTag)
      }
      speak()
    },
  }
}
