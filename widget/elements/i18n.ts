// The language of the element: the page's, whose words are loaded when they are wanted. The page and the service may set words of their own.

import {
  createTranslate,
  type Phrase,
  shortCount,
  type Translate,
  type Translations,
  usableLocale,
} from '../lib/translations.ts'
import { EN_BELL } from '../locales/en-bell.ts'
import { languageOf } from '../locales/languages.ts'

/** The direction of a language; an element whose `locale` is set follows it and not the page. */
export const directionOf = (tag: string): 'rtl' | 'ltr' => (/ar|he/.test(tag) ? 'rtl' : 'ltr')

/** Loads the words of another language. */
export interface LanguageParts {
  /** The words of a language of ours, by its tag; never asked for English. */
  loadLanguage: (tag: string) => Promise<{ words: Translations }>
}

export interface I18nOptions {
  /** Its `lang`, or that of an element around it, is the page's language. */
  element: Element
  /** The language that the page sets on the element. */
  locale: () => string | null | undefined
  /** Translations that replace those of the language; the first table that has a key wins. */
  overrides: () => readonly (Translations | null | undefined)[]
  parts: () => LanguageParts | undefined
  /** The words of another language are there. */
  onChange: () => void
}

export class I18n {
  readonly #options: I18nOptions
  readonly #english: Record<string, Phrase> = { ...EN_BELL }
  #words: Translations = this.#english
  #overrides: readonly (Translations | null | undefined)[] = []
  #wantedLocale = ''
  #wantedTag = 'en'
  #locale = 'en'
  #tag = 'en'
  #t: Translate = createTranslate('en', 'en', this.#english)

  constructor(options: I18nOptions) {
    this.#options = options
  }

  /** Formats times and numbers; of the same language as the words. */
  get locale(): string {
    return this.#locale
  }
  /** The language of the words. */
  get tag(): string {
    return this.#tag
  }
  /** Another function whenever the words have changed. */
  get t(): Translate {
    return this.#t
  }

  /** A number where there is little room. */
  readonly short = (count: number): string => shortCount(this.#locale, count)

  /** Adds English words of a part that is there now. */
  learn(words: Translations): void {
    Object.assign(this.#english, words)
  }

  /** Applies what element and page set now; loads the words of another language. */
  follow(): void {
    const { element, locale, overrides } = this.#options
    const page = element.closest('[lang]')?.getAttribute('lang')
    const wanted = usableLocale(locale(), page, navigator.language)
    const tag = languageOf(wanted)
    const own = overrides()
    const isSame = own.every((words, place) => words === this.#overrides[place])
    if (wanted === this.#wantedLocale && isSame && this.#wantedTag === tag) return
    this.#wantedLocale = wanted
    this.#overrides = own
    if (tag === 'en') {
      this.#tag = 'en'
      this.#words = this.#english
    } else if (tag !== this.#wantedTag) void this.#load(tag)
    this.#wantedTag = tag
    this.#apply()
  }

  async #load(tag: string): Promise<void> {
    // Not to be had now: the words that are there stay, and the next look asks again.
    const loaded = await this.#options
      .parts()
      ?.loadLanguage(tag)
      .catch(() => undefined)
    if (this.#wantedTag !== tag) return
    if (loaded === undefined) {
      this.#wantedTag = this.#tag
      return
    }
    this.#tag = tag
    this.#words = loaded.words
    this.#apply()
    this.#options.onChange()
  }

  #apply(): void {
    // Times in the language of the words: half a sentence in each would be worse than English.
    this.#locale = languageOf(this.#wantedLocale) === this.#tag ? this.#wantedLocale : this.#tag
    const own = this.#overrides.map((words) => words ?? {})
    this.#t = createTranslate(this.#locale, this.#tag, ...own, this.#words, this.#english)
  }
}
