// Tests that the lines of the server's differences are read with their values in full.

import { expect, test } from 'vitest'
import { differenceOf } from '../../edge/lib/difference.ts'
import { parseLine } from './difference.ts'

test('each kind of line is read, also with an arrow and quotes in its values', () => {
  const before = { title: 'One → "two"', count: 1, old: 'x: y', list: [] }
  const after = { title: 'Three', count: 2, added: null, list: ['a'] }
  expect(differenceOf(before, after).map(parseLine)).toEqual([
    { kind: 'changed', path: 'title', before: '"One → \\"two\\""', after: '"Three"' },
    { kind: 'changed', path: 'count', before: '1', after: '2' },
    { kind: 'removed', path: 'old', before: '"x: y"', after: undefined },
    { kind: 'removed', path: 'list', before: '[]', after: undefined },
    { kind: 'added', path: 'added', before: undefined, after: 'null' },
    { kind: 'added', path: 'list[0]', before: undefined, after: '"a"' },
  ])
})

test('a line of a list has no value', () => {
  expect(parseLine('+ u_1')).toEqual({ kind: 'added', path: 'u_1', before: undefined, after: '' })
  expect(parseLine('- u_1')).toEqual({ kind: 'removed', path: 'u_1', before: '', after: undefined })
})

test('another text is the field of a change', () => {
  expect(parseLine('something')).toEqual({ kind: 'changed', path: 'something', before: undefined, after: undefined })
})
