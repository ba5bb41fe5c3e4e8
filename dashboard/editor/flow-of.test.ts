// Tests that each step and each way of a picture leads back to its place in the draft.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printCopied, readCopied } from './copied-steps.ts'
import { insertSteps } from './edits.ts'
import { flowOf, idAt, listOfWay } from './flow-of.ts'
import { newStep, STEP_TYPES } from './new-steps.ts'
import { type Draft, type DraftStep, listsOf, readAt, stepsAt, walkSteps } from './step-tree.ts'
import { anyDraft } from './test/any-draft.ts'

test('the picture has each step once, and a draft with ids as it is', () => {
  fc.assert(
    fc.property(anyDraft, (draft) => {
      const flow = flowOf(draft)
      expect(flow.definition).toEqual(draft)
      for (const { step, path } of walkSteps(draft)) {
        expect(readAt(draft, flow.paths.get(String(step.id)) ?? [])).toBe(step)
        expect(idAt(flow, path)).toBe(step.id)
        const keys = step.type === 'waitFor' ? ['taken', 'not-taken'] : listsOf(step).map((_, index) => `b${index}`)
        const lists = keys.map((key) => listOfWay(flow, `${step.id}/${key}`))
        expect(lists).toEqual(listsOf(step).map((list) => [...path, ...list]))
      }
    }),
  )
})

test('steps without an id, with that of another one, and branches without a key are told apart', () => {
  const draft: Draft = {
    steps: [
      { id: 'a', type: 'exit' },
      { id: 'a', type: 'exit' },
      { type: 'branch', branches: [{ steps: [] }, {}] },
    ],
  }
  const flow = flowOf(draft)
  expect([...flow.paths.keys()]).toEqual(['a', '?steps.1', '?steps.2'])
  expect(listOfWay(flow, '?steps.2/?1')).toEqual(['steps', 2, 'branches', 1, 'steps'])
  expect(listOfWay(flow, '?steps.2/')).toBeUndefined()
  expect(listOfWay(flow, undefined)).toEqual(['steps'])
})

test('a new step has an id of its own', () => {
  const draft = STEP_TYPES.reduce<Draft>(
    (whole, type) => insertSteps(insertSteps(whole, ['steps'], 0, [newStep(type, whole)]), ['steps'], 0, []),
    { key: 'k', trigger: { event: 'order.paid' }, steps: [{ id: 'mail', type: 'exit' }] },
  )
  const ids = walkSteps(draft).map(({ step }) => step.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('mail-2')
})

test('copied steps are read again; another text is none', () => {
  const steps: DraftStep[] = [{ id: 'a', type: 'exit' }]
  expect(readCopied(printCopied(steps))).toEqual(steps)
  expect(readCopied(JSON.stringify(steps[0]))).toEqual(steps)
  for (const text of ['', 'Hello', '{}', '[]', '[1]', '{"steps":[{}]}', '{']) expect(readCopied(text)).toBeUndefined()
  expect(stepsAt({ steps }, ['steps'])).toBe(steps)
})

test('a pasted text with more or deeper steps than a campaign has is not taken', () => {
  const many = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: `a${at}`, type: 'inbox' })))
  expect(readCopied(many(200))).toHaveLength(200)
  expect(readCopied(many(201))).toBeUndefined()
  expect(readCopied(`{"type":"inbox","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBeUndefined()
  let deep = '{"type":"inbox"}'
  for (let level = 0; level < 5000; level++) deep = `{"type":"waitFor","then":[${deep}]}`
  expect(readCopied(deep)).toBeUndefined()
})
