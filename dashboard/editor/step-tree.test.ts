// Tests paths in a draft, in both directions.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPath, parsePath, readAt, samePath, walkSteps } from './step-tree.ts'
import { anyDraft } from './test/any-draft.ts'

test.each([
  ['steps[0].branches[1].when', ['steps', 0, 'branches', 1, 'when']],
  ['trigger.event', ['trigger', 'event']],
  ['', []],
  ['steps[0].locales.de-AT.title', ['steps', 0, 'locales', 'de-AT', 'title']],
])('%j is read as %j and written again', (text, path) => {
  expect(parsePath(text, {})).toEqual(path)
  expect(formatPath(path)).toBe(text)
})

test('a key with dots and brackets is found where the draft has it', () => {
  const draft = { steps: [{ headers: { 'X-A.b': '1', 'X-A': '2' }, data: { 'a[0]': { c: 1 } } }] }
  expect(parsePath('steps[0].headers.X-A.b', draft)).toEqual(['steps', 0, 'headers', 'X-A.b'])
  expect(parsePath('steps[0].data.a[0].c', draft)).toEqual(['steps', 0, 'data', 'a[0]', 'c'])
})

test('each step is found at its path', () => {
  fc.assert(
    fc.property(anyDraft, (draft) => {
      for (const { step, path } of walkSteps(draft)) {
        expect(readAt(draft, path)).toBe(step)
        expect(samePath(parsePath(formatPath(path), draft), path)).toBe(true)
      }
    }),
  )
})
