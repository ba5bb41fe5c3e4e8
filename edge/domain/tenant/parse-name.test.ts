// Tests which names are taken, and which are the same.

import { expect, test } from 'vitest'
import { NAME } from '../../../contract/key.ts'
import { nameKeyOf } from './parse-name.ts'

test.each(['Shop', 'Ünïcode 店', '👩‍💻 team', 'می‌خواهم', 'x'.repeat(100)])('%j is a name', (name) => {
  expect(NAME.test(name)).toBe(true)
})

test.each(['', ' ', '\u200b', ' \u2060 ', '\u3164', 'a\nb', 'a\tb', 'x'.repeat(101)])('%j is none', (name) =>
  expect(NAME.test(name)).toBe(false),
)

test.each([
  ['Staging', ' staging '],
  ['Straße', 'STRASSE'],
  ['Café', 'Cafe\u0301'],
  ['Staging', 'Sta\u200bging'],
  ['Staging', 'St\u00adaging'],
  ['Staging', 'Ｓtaging'],
  ['Sta ging', 'Sta  ging'],
  ['Sta ging', 'Sta\u00a0ging'],
])('%j and %j are the same', (one, other) => expect(nameKeyOf(one)).toBe(nameKeyOf(other)))

test('other words are others', () => {
  expect(new Set(['dev', 'prod', 'dev 2', 'dév'].map(nameKeyOf)).size).toBe(4)
})
