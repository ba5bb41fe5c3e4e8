// Tests the merge of two drafts by random edits: what one of them changed alone is never lost.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeDrafts } from './merge.ts'
import type { Draft } from './step-tree.ts'
import { anyDraft } from './test/any-draft.ts'

const step = (id: string, title = id) => ({ id, type: 'inbox', title })
const draftOf = (...steps: unknown[]): Draft => ({ key: 'k', steps })

test('what only one of both changed is taken, whoever it was', () => {
  fc.assert(
    fc.property(anyDraft, anyDraft, (base, other) => {
      expect(mergeDrafts(base, other, base)).toEqual({ draft: other, conflicts: [] })
      expect(mergeDrafts(base, base, other)).toEqual({ draft: other, conflicts: [] })
      expect(mergeDrafts(base, other, other)).toEqual({ draft: other, conflicts: [] })
    }),
  )
})

test('changes of different fields, new steps and a new order come together', () => {
  const base = draftOf(step('a'), step('b'), step('c'))
  const mine = draftOf(step('a', 'A'), step('b'), step('new'), step('c'))
  const theirs = { ...draftOf(step('b'), step('a'), step('c')), name: 'Named' }
  expect(mergeDrafts(base, mine, theirs)).toEqual({
    draft: { ...draftOf(step('b'), step('new'), step('a', 'A'), step('c')), name: 'Named' },
    conflicts: [],
  })
})

test('a value that both changed is a conflict with the three of them, at its path', () => {
  const merged = mergeDrafts(
    draftOf(step('x'), step('a')),
    draftOf(step('a', 'mine')),
    draftOf(step('x'), step('a', 'theirs')),
  )
  expect(merged.draft).toEqual(draftOf(step('a', 'mine')))
  expect(merged.conflicts).toEqual([
    { path: ['steps', 0, 'title'], name: 'steps.a.title', base: 'a', mine: 'mine', theirs: 'theirs' },
  ])
})

test('a step that one removed and the other changed stays, as a conflict', () => {
  const base = draftOf(step('a'), step('b'))
  const merged = mergeDrafts(base, draftOf(step('a')), draftOf(step('a'), step('b', 'new')))
  expect(merged.draft).toEqual(draftOf(step('a'), step('b', 'new')))
  expect(merged.conflicts).toMatchObject([{ name: 'steps.b', mine: undefined }])
})

test('a step that both moved elsewhere is never there twice', () => {
  const ways = (then: unknown[], onTimeout: unknown[]) => ({ id: 'w', type: 'waitFor', then, onTimeout })
  const base = draftOf(step('a'), ways([], []))
  const merged = mergeDrafts(base, draftOf(ways([step('a')], [])), draftOf(ways([], [step('a')])))
  expect(merged.draft).toEqual(draftOf(ways([step('a')], [])))
  expect(merged.conflicts).toMatchObject([{ name: 'steps' }])
})

test('no merge has a step twice, or loses one that both have', () => {
  fc.assert(
    fc.property(anyDraft, anyDraft, anyDraft, (base, mine, theirs) => {
      const { draft } = mergeDrafts(base, mine, theirs)
      const text = JSON.stringify(draft)
      const ids = [...text.matchAll(/"id":"(s\d+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )
})
