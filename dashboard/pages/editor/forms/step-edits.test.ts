// Tests edits of objects and lists in a step, and what a form knows of other steps.

import { expect, test } from 'vitest'
import { freeKey, inboxStepsBefore, moveItem, replaceKeys, unknownKeys } from './step-edits.ts'

test('a key takes the place of others, and the rest keeps its order', () => {
  const step = { id: 'a', for: 'PT1M', note: 1, until: 'x' }
  expect(Object.entries(replaceKeys(step, ['for', 'until'], 'until', 'y'))).toEqual([
    ['id', 'a'],
    ['until', 'y'],
    ['note', 1],
  ])
  expect(JSON.stringify(replaceKeys({ a: 1, b: 2 }, ['c'], 'c', 3))).toBe('{"a":1,"b":2,"c":3}')
  expect(replaceKeys({ a: 1, b: 2 }, ['a'], 'a', undefined)).toEqual({ b: 2 })
})

test('an item moves one place', () => {
  expect(moveItem(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
})

test('a new branch has a key of its own', () => {
  expect(freeKey('b', ['b1', undefined, 'b3'])).toBe('b2')
})

test('a mail names the inbox steps before it, also those around', () => {
  const steps = [
    { id: 'tell', type: 'inbox', title: 'Hi' },
    {
      id: 'which',
      type: 'branch',
      branches: [
        {
          steps: [
            { id: 'in', type: 'inbox' },
            { id: 'mail', type: 'email' },
          ],
        },
      ],
    },
    { id: 'late', type: 'inbox', title: 'Late' },
  ]
  expect(inboxStepsBefore({ steps }, ['steps', 1, 'branches', 0, 'steps', 1])).toEqual([
    { id: 'tell', title: 'Hi' },
    { id: 'in', title: '' },
  ])
  expect(inboxStepsBefore({ steps }, ['steps', 9])).toEqual([])
})

test('keys that a form does not show are told', () => {
  expect(unknownKeys({ id: 'a', type: 'exit', why: 1 }, ['id', 'type', 'reason'])).toEqual(['why'])
})
