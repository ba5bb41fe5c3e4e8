// Tests the table of own texts: plural forms of the language, removal of empty texts, and unknown keys.

import { expect, test } from 'vitest'
import { loadWords, localesOf, rowsOf, withText, wordsOf } from './widget-texts.ts'

test('a text is set and removed again; a language without texts is left out', () => {
  const texts = withText({}, 'de', 'all', 'Alles')
  expect(texts).toEqual({ de: { all: 'Alles' } })
  expect(withText(texts, 'de', 'all', '')).toEqual({})
  expect(withText({ de: { all: 'Alles', close: 'Zu' } }, 'de', 'all', '')).toEqual({ de: { close: 'Zu' } })
})

test('plural forms are set one by one, and a plain text becomes the form of all numbers', () => {
  const texts = withText({ en: { bell: 'News' } }, 'en', 'bell', 'One piece of news', 'one')
  expect(texts).toEqual({ en: { bell: { other: 'News', one: 'One piece of news' } } })
  expect(withText({ en: { bell: { one: 'One' } } }, 'en', 'bell', '', 'one')).toEqual({})
  expect(wordsOf({ other: 'News' }, 'one')).toBe('')
  expect(wordsOf('News', 'one')).toBe('')
  expect(wordsOf('News')).toBe('News')
})

test('each text of the widget has a row with the plural forms of the language, and so has an own text without one', () => {
  const rows = rowsOf({ mine: 'My own' }, 'pl')
  expect(rows.find(({ key }) => key === 'all')).toEqual({ key: 'all', english: 'All', forms: [] })
  expect(new Set(rows.find(({ key }) => key === 'bell')?.forms)).toEqual(new Set(['one', 'few', 'many', 'other']))
  expect(rows.find(({ key }) => key === 'mine')?.english).toBe('My own')
})

test('words come in the language, and in English where the widget lacks it', async () => {
  expect((await loadWords('de-AT')).all).toBe('Alle')
  expect((await loadWords('mt')).all).toBe('All')
  expect(localesOf({ mt: {} })).toContain('mt')
})
