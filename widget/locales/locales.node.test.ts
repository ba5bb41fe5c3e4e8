// Every language is whole: its plural forms, its parameters, its own words.

import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createTranslate, type Phrase, type Translations } from '../lib/translations.ts'
import { BUNDLED_LANGUAGES } from './bundled-languages.ts'
import { ENGLISH as WORDS } from './english.ts'
import { LANGUAGES, languageOf } from './languages.ts'

const ENGLISH: Translations = WORDS
/** Translations that are the same in both languages, by chance of history. */
const SAME = new Set(['fr notifications', 'fr urgent', 'fr important'])
const forms = (phrase: Phrase): string[] => (typeof phrase === 'string' ? [phrase] : Object.values(phrase))
const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()

test('a file, a tag and a loader stand for each language', () => {
  const files = readdirSync(import.meta.dirname)
    .map((name) => name.replace('.ts', ''))
    .filter((tag) => /^[a-z]{2}(-[A-Z][A-Za-z]+)?$/.test(tag))
  expect(files.sort()).toEqual([...LANGUAGES].sort())
  expect(['en', ...Object.keys(BUNDLED_LANGUAGES)].sort()).toEqual([...LANGUAGES].sort())
})

test.each([
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['fr-CA', 'fr'],
  ['iw', 'he'],
  ['sw', 'en'],
])('%s is served by %s', (locale, tag) => {
  expect(languageOf(locale)).toBe(tag)
})

describe.each(Object.entries(BUNDLED_LANGUAGES))('%s', (tag, load) => {
  test('says everything that English says, with the same parameters', async () => {
    const { words } = await load()
    expect(Object.keys(words).sort()).toEqual(Object.keys(ENGLISH).sort())
    for (const [key, english] of Object.entries(ENGLISH)) {
      const wanted = places(forms(english).at(-1) ?? '')
      for (const form of forms(words[key as keyof typeof words])) {
        // One and two can be words of their own: then the number is in the word.
        const isWord = wanted.join() === 'count' && ['ar', 'he'].includes(tag) && !form.includes('{')
        if (!isWord) expect(places(form), `${key}: ${form}`).toEqual(wanted)
      }
    }
  })

  test('has the plural forms of its language, all and no other', async () => {
    const { words } = await load()
    const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
    for (const [key, phrase] of Object.entries(words)) {
      expect(typeof phrase, key).toBe(typeof ENGLISH[key])
      if (typeof phrase !== 'string') expect(Object.keys(phrase).sort(), key).toEqual([...wanted].sort())
    }
  })

  test('leaves no word in English', async () => {
    const { words } = await load()
    const left = Object.entries(words).filter(([key, phrase]) => {
      return JSON.stringify(phrase) === JSON.stringify(ENGLISH[key]) && !SAME.has(`${tag} ${key}`)
    })
    expect(left).toEqual([])
  })
})

test.each([
  ['ar', 0, 'لا إشعارات جديدة'],
  ['ar', 1, 'إشعار جديد واحد'],
  ['ar', 2, 'إشعاران جديدان'],
  ['ar', 3, '٣ إشعارات جديدة'],
  ['ar', 11, '١١ إشعارًا جديدًا'],
  ['ar', 100, '١٠٠ إشعار جديد'],
  ['pl', 1, '1 nowe powiadomienie'],
  ['pl', 2, '2 nowe powiadomienia'],
  ['pl', 5, '5 nowych powiadomień'],
  ['pl', 12, '12 nowych powiadomień'],
  ['pl', 22, '22 nowe powiadomienia'],
  ['uk', 21, '21 нове сповіщення'],
  ['ja', 1, '新しい通知 1 件'],
  ['ja', 5, '新しい通知 5 件'],
])('in %s, %i are counted as %s', async (tag, count, sentence) => {
  const words = await BUNDLED_LANGUAGES[tag]?.()
  expect(createTranslate(tag === 'ar' ? 'ar-EG' : tag, tag, words?.words ?? {})('arrived', { count })).toBe(sentence)
})

test('numbers are written as Intl writes them, in every language', () => {
  const locales = [
    ...LANGUAGES,
    'en-IN',
    'de-CH',
    'fr-CH',
    'es-MX',
    'ar-EG',
    'ar-AE',
    'fa',
    'kok',
    'hi-u-nu-deva',
    'ja-JP-u-nu-hanidec',
  ]
  for (const locale of locales) {
    const say = createTranslate(locale, 'en', { count: '{count}' })
    for (const count of [0, 7, 42, 100, 999, 1_000, 12_345]) {
      expect(say('count', { count }), locale).toBe(new Intl.NumberFormat(locale).format(count))
    }
  }
})
