// Tests the smallest change between texts, and that typing keeps the ends of other lines.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyTyped, changeBetween, withPlainLines } from './text-change.ts'

test('the change between two texts is the smallest', () => {
  const apply = (text: string, { from, to, insert }: { from: number; to: number; insert: string }) =>
    text.slice(0, from) + insert + text.slice(to)
  expect(changeBetween('same', 'same')).toBeUndefined()
  expect(changeBetween('one two', 'one 2 two')).toEqual({ from: 4, to: 4, insert: '2 ' })
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const change = changeBetween(before, after)
      expect(change === undefined ? before : apply(before, change)).toBe(after)
    }),
  )
})

test('what is typed changes no other end of a line', () => {
  expect(applyTyped('one\r\ntwo\nthree\r', 'one\ntwo!\nthree\n')).toBe('one\r\ntwo!\nthree\r')
  expect(applyTyped('a\r\nb', 'a\nx\nb')).toBe('a\r\nx\r\nb')
  expect(applyTyped('a\nb', 'a\n\nb')).toBe('a\n\nb')
  const lines = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r'), { maxLength: 8 }).map((all) => all.join(''))
  fc.assert(
    fc.property(lines, lines.map(withPlainLines), (before, typed) => {
      expect(withPlainLines(applyTyped(before, typed))).toBe(typed)
      expect(applyTyped(before, withPlainLines(before))).toBe(before)
    }),
  )
})
