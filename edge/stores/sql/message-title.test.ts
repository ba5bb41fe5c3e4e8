// Tests the title in the beginning of a stored content.

import { expect, test } from 'vitest'
import { titleOf } from './message-title.ts'

const begin = (title: string) => JSON.stringify({ title, body: 'b' }).slice(0, 1216)

test.each([
  ['Your order', 'Your order'],
  ['', null],
  ['“Ünïcode” \\ "quoted"\n\t\u2028 🎉', '“Ünïcode” \\ "quoted"\n\t\u2028 🎉'],
  ['a'.repeat(200), 'a'.repeat(200)],
  ['🎉'.repeat(300), `${'🎉'.repeat(199)}…`],
  // Each takes six characters of the JSON.
  ['\u0001'.repeat(400), `${'\u0001'.repeat(199)}…`],
])('%#: the title is read whatever its characters are', (title, expected) => {
  expect(titleOf(begin(title))).toBe(expected)
})

test('an escape that is cut off is left out', () => {
  expect(titleOf('{"title":"ab\\u00')).toBe('ab')
  expect(titleOf('{"title":"ab\\')).toBe('ab')
})

test('a content without a title in the first place has none', () => {
  expect(titleOf('{"body":"x","title":"y"}')).toBeNull()
})
