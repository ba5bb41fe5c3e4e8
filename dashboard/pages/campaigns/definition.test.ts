// Tests what pages read of a definition, and the difference of two versions.

import { expect, test } from 'vitest'
import { changesOf, eventOf, sendsBy, stepsOfType, stepTypesOf } from './definition.ts'

const definition = {
  trigger: { event: 'order.shipped' },
  steps: [
    { id: 'tell', type: 'inbox', title: 'On its way' },
    { id: 'size', type: 'branch', branches: [{ key: 'big', steps: [{ id: 'mail', type: 'email' }] }] },
  ],
}

test('the event and the types of the steps are read', () => {
  expect(eventOf(definition)).toBe('order.shipped')
  expect(stepTypesOf(definition)).toEqual(['inbox', 'branch'])
  expect([eventOf({}), stepTypesOf({})]).toEqual(['', []])
})

test('a channel is found at any depth', () => {
  expect(sendsBy(definition, 'email')).toBe(true)
  expect(sendsBy({ steps: [{ type: 'waitFor', onTimeout: [{ type: 'email' }] }] }, 'email')).toBe(true)
  expect(sendsBy({ steps: [{ type: 'inbox' }] }, 'email')).toBe(false)
  const mail = (id: string) => ({ id, type: 'email' })
  const branches = [{ steps: [mail('b'), mail('c')] }]
  expect(stepsOfType({ steps: [mail('a'), { type: 'branch', branches }, mail('d')] }, 'email')).toEqual([...'abcd'])
})

test('the difference names each value that was added, removed or changed', () => {
  const after = structuredClone(definition) as Record<string, unknown> & typeof definition
  after.steps[0] = { id: 'tell', type: 'inbox', title: 'Sent' }
  after.category = 'orders'
  Reflect.deleteProperty(after, 'trigger')
  expect(changesOf(definition, after)).toEqual([
    { kind: 'removed', path: 'trigger.event', before: 'order.shipped', after: undefined },
    { kind: 'changed', path: 'steps[0].title', before: 'On its way', after: 'Sent' },
    { kind: 'added', path: 'category', before: undefined, after: 'orders' },
  ])
  expect(changesOf(definition, structuredClone(definition))).toEqual([])
})

test('the text "1" and the number 1 differ from an empty list', () => {
  expect(changesOf({ a: [] }, { a: {} })).toHaveLength(1)
})
