// Tests that a fault is shown until the value changes for which the API reported it.

import { expect, test } from 'vitest'
import { type Fault, fieldId, pathsWithin, ShownFaults, textOf } from './form-context.ts'

test('a fault is gone with another value, and back with the old one', () => {
  const shown = new ShownFaults()
  const fault: Fault = { message: 'This must not be empty.' }
  const faultAt = () => fault
  const at = (title: string) => shown.find({ draft: { title }, faultAt }, ['title'])
  expect(at('')).toBe(fault)
  expect(at('H')).toBeUndefined()
  expect(at('')).toBe(fault)
  // The API reports the new value: another fault of the next answer.
  const next: Fault = { message: 'At most 1 character.' }
  expect(shown.find({ draft: { title: 'Hi' }, faultAt: () => next }, ['title'])).toBe(next)
})

test('the paths of a value and those in it', () => {
  expect(pathsWithin({ a: [1, { b: 2 }] }, ['data']).map((path) => path.join('.'))).toEqual([
    'data',
    'data.a',
    'data.a.0',
    'data.a.1',
    'data.a.1.b',
  ])
})

test('the id of a field has no space, and a value that is no text is shown as JSON', () => {
  expect(fieldId(['headers', 'X A'])).toBe('field-headers.X_A')
  expect([textOf('a'), textOf(null), textOf(5), textOf({ a: 1 })]).toEqual(['a', '', '5', '{"a":1}'])
})
