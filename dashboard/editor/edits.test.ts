// Tests the edits of a draft by random ones: no step is lost, doubled or changed but as the edit says.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EditHistory } from './edit-history.ts'
import { freeId, idsOf, insertSteps, moveByKey, moveStep, removeStep, renameStep, setAt, withFreeIds } from './edits.ts'
import { type Draft, listsOf, type Path, readAt, samePath, stepsAt, walkSteps } from './step-tree.ts'
import { anyDraft } from './test/any-draft.ts'

const allLists = (draft: Draft): Path[] => [
  ['steps'],
  ...walkSteps(draft).flatMap(({ step, path }) => listsOf(step).map((list) => [...path, ...list])),
]
const sorted = (draft: Draft) => [...idsOf(draft)].sort()
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

test('a moved step keeps all that is in it, and nothing else moves', () => {
  fc.assert(
    fc.property(anyDraft, fc.nat(), fc.nat(), fc.nat(), (draft, stepAt, listAt, indexAt) => {
      const placed = pick(walkSteps(draft), stepAt)
      if (placed === undefined) return
      const list = pick(allLists(draft), listAt) as Path
      const index = indexAt % (stepsAt(draft, list).length + 1)
      const before = JSON.stringify(draft)
      const moved = moveStep(draft, placed.path, list, index)
      expect(JSON.stringify(draft)).toBe(before)
      if (moved === undefined) return
      expect(readAt(moved.draft, moved.path)).toEqual(placed.step)
      expect(sorted(moved.draft)).toEqual(sorted(draft))
      const back = removeStep(moved.draft, moved.path)
      expect(back).toEqual(removeStep(draft, placed.path))
    }),
  )
})

test('a step moves by key through every place, and back the same way', () => {
  fc.assert(
    fc.property(anyDraft, fc.nat(), (draft, at) => {
      const placed = pick(walkSteps(draft), at)
      if (placed === undefined) return
      const down = moveByKey(draft, placed.path, 'down')
      if (down === undefined) return
      expect(sorted(down.draft)).toEqual(sorted(draft))
      const up = moveByKey(down.draft, down.path, 'up')
      expect(up?.draft).toEqual(draft)
      expect(samePath(up?.path ?? [], placed.path)).toBe(true)
    }),
  )
})

test('by key a step goes past its neighbour, into and out of branches, and into the next way', () => {
  const draft: Draft = {
    steps: [{ id: 'w', type: 'waitFor', then: [{ id: 'a' }, { id: 'b' }], onTimeout: [{ id: 'c' }] }, { id: 'd' }],
  }
  const down = (path: Path) => moveByKey(draft, path, 'down')?.path
  expect(down(['steps', 0, 'then', 0])).toEqual(['steps', 0, 'then', 1])
  expect(down(['steps', 0, 'then', 1])).toEqual(['steps', 0, 'onTimeout', 0])
  expect(down(['steps', 0, 'onTimeout', 0])).toEqual(['steps', 1])
  expect(down(['steps', 1])).toBeUndefined()
  expect(moveByKey(draft, ['steps', 1], 'up')?.path).toEqual(['steps', 0, 'onTimeout', 1])
})

test('pasted steps have ids of their own, and name each other by them', () => {
  fc.assert(
    fc.property(anyDraft, (draft) => {
      const copies = withFreeIds(draft, stepsAt(draft, ['steps']) as never[])
      const pasted = insertSteps(draft, ['steps'], 0, copies)
      const ids = walkSteps(pasted).map(({ step }) => step.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(stepsAt(pasted, ['steps'])).toHaveLength(2 * copies.length)
    }),
  )
  const draft: Draft = {
    steps: [
      { id: 'tell', type: 'inbox' },
      { id: 'mail-2', unless: { read: 'tell' } },
    ],
  }
  expect(withFreeIds(draft, draft.steps as never[])).toEqual([
    { id: 'tell-2', type: 'inbox' },
    { id: 'mail-3', unless: { read: 'tell-2' } },
  ])
  expect(freeId('mail', idsOf(draft))).toBe('mail')
})

test('a renamed step is followed by what names it', () => {
  const draft: Draft = { steps: [{ id: 'tell' }, { id: 'mail', unless: { read: 'tell' } }] }
  expect(renameStep(draft, ['steps', 0], 'note').steps).toEqual([
    { id: 'note' },
    { id: 'mail', unless: { read: 'note' } },
  ])
})

test('a value that is set keeps its place among the keys; undefined removes it', () => {
  const draft: Draft = { key: 'a', name: 'b', steps: [] }
  expect(JSON.stringify(setAt(draft, ['key'], 'c'))).toBe('{"key":"c","name":"b","steps":[]}')
  expect(setAt(draft, ['name'], undefined)).toEqual({ key: 'a', steps: [] })
  expect(setAt(draft, ['trigger', 'event'], 'x')).toMatchObject({ trigger: { event: 'x' } })
})

test('undo to the beginning gives the first draft, redo the last', () => {
  fc.assert(
    fc.property(fc.array(anyDraft, { minLength: 1, maxLength: 20 }), ([first, ...others]) => {
      const history = new EditHistory(first as Draft)
      for (const [index, draft] of others.entries()) history.edit(draft, `Edit ${index}`, { at: index })
      while (history.undo());
      expect(history.draft).toBe(first)
      while (history.redo());
      expect(history.draft).toBe(others.at(-1) ?? first)
    }),
  )
})

test('typing in one field is undone at once, after a pause on its own', () => {
  const history = new EditHistory({ name: '' })
  const type = (name: string, at: number) => history.edit({ name }, 'Name', { field: 'name', at })
  type('a', 0)
  type('ab', 900)
  type('abc', 3000)
  history.undo()
  expect(history.draft).toEqual({ name: 'ab' })
  history.undo()
  expect(history.draft).toEqual({ name: '' })
})
