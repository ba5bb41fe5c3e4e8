// Tests that the lines of the server's differences are read with their values in full.

import { expect, test } from 'vitest'
import { parseLine } from './difference.ts'

test.each([
  ['~ title: "One → \\"two\\"" → "Three"', 'changed', 'title', '"One → \\"two\\""', '"Three"'],
  ['~ steps.tell.count: 1 → 2', 'changed', 'steps.tell.count', '1', '2'],
  ['~ old: "x: y" → null', 'changed', 'old', '"x: y"', 'null'],
  ['- list: []', 'removed', 'list', '[]', undefined],
  ['+ list[0]: "a → b"', 'added', 'list[0]', undefined, '"a → b"'],
  ['+ u_1', 'added', 'u_1', undefined, ''],
  ['- u_1', 'removed', 'u_1', '', undefined],
  ['something', 'changed', 'something', undefined, undefined],
] as const)('%s', (line, kind, path, before, after) => {
  expect(parseLine(line)).toEqual({ kind, path, before, after })
})
