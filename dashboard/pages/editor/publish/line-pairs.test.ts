// Tests that the lines of two texts are set side by side.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linePairs } from './line-pairs.ts'

const shown = (before: string, after: string) =>
  linePairs(before, after).map(({ kind, left, right }) => (kind === 'gap' ? '…' : `${left ?? ''}|${right ?? ''}`))

test('changed, added and removed lines', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual(['a|a', 'b|x', 'c|c'])
  expect(shown('a\nc', 'a\nb\nc')).toEqual(['a|a', '|b', 'c|c'])
  expect(shown('a\nb\nc', 'a\nc')).toEqual(['a|a', 'b|', 'c|c'])
})

test('equal lines far from a difference are one row', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `l${index}`)
  const rows = shown(lines.join('\n'), lines.with(10, 'new').join('\n'))
  expect(rows).toEqual(['…', 'l7|l7', 'l8|l8', 'l9|l9', 'l10|new', 'l11|l11', 'l12|l12', 'l13|l13', '…'])
  expect(shown('a\nb', 'a\nb')).toEqual(['…'])
})

test('both texts can be read from the rows', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = linePairs(before.join('\n'), after.join('\n'))
      fc.pre(!rows.some(({ kind }) => kind === 'gap'))
      expect(rows.flatMap(({ left }) => left ?? [])).toEqual(before)
      expect(rows.flatMap(({ right }) => right ?? [])).toEqual(after)
    }),
    { seed: 41 },
  )
})
