// Translations: plural forms, numbers, parameters, and locales that are none.

import { expect, test } from 'vitest'
import { createTimeWriter } from './relative-time.ts'
import { createTranslate, usableLocale } from './translations.ts'

const WORDS = { left: { one: '{count} message', other: '{count} messages' }, hello: 'Hello {name}' }

test('plural forms follow the language, numbers the locale', () => {
  const say = createTranslate('de', 'en', WORDS)
  expect([say('left', { count: 1 }), say('left', { count: 1234 })]).toEqual(['1 message', '1.234 messages'])
})

test('a parameter is put in as it is, once; what is missing stays visible', () => {
  const say = createTranslate('en', 'en', WORDS)
  expect(say('hello', { name: '{name} <b>' })).toBe('Hello {name} <b>')
  expect([say('hello'), say('nothing'), say('constructor')]).toEqual(['Hello {name}', 'nothing', 'constructor'])
})

test('a phrase that is no text is taken as its text, and none is passed over', () => {
  const own: object = { left: 5, hello: null, on: true }
  const say = createTranslate('en', 'en', own as typeof WORDS, WORDS)
  expect([say('left', { count: 1 }), say('hello', { name: 'Ada' }), say('on')]).toEqual(['5', 'Hello Ada', 'true'])
})

test('the first locale that is one is taken', () => {
  expect(usableLocale(null, '', 'not a tag!', 'fr-CA', 'de')).toBe('fr-CA')
  expect(usableLocale(undefined)).toBe('en')
})

test.each([
  [0, 'now'],
  [-86_400_000, 'now'],
  [59_999, 'now'],
  [60_000, '1m ago'],
  [2 * 3_600_000, '2h ago'],
  [86_400_000, 'yesterday'],
  // Before midnight of the day before: as the heading of its day says.
  [39 * 3_600_000, '2d ago'],
  [6 * 86_400_000, '6d ago'],
  [8 * 86_400_000, 'Mar 2'],
  [400 * 86_400_000, 'Feb 3, 2025'],
])('%i ms ago is %s', (ageMs, words) => {
  // By the clock of whoever runs this: dates are.
  const now = new Date(2026, 2, 10, 12).getTime()
  expect(createTimeWriter('en', 'now').relative(new Date(now - ageMs).toISOString(), now)).toBe(words)
})
