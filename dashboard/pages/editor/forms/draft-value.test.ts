// Tests that an own edit on its way is told apart from a change of others.

import { expect, test } from 'vitest'
import { DraftValue } from './draft-value.ts'

test('an update before the edit has reached the draft is not a change of others', () => {
  const value = new DraftValue<string>()
  expect(value.isNew('')).toBe(true)
  expect(value.edit('a > 1')).toBe(true)
  expect(value.isNew('')).toBe(false)
  expect(value.current).toBe('a > 1')
  expect(value.isNew('a > 1')).toBe(false)
  expect(value.edit('a > 1')).toBe(false)
})

test('what others write, and an undo, is shown', () => {
  const value = new DraftValue<string>()
  value.isNew('x')
  value.edit('y')
  expect([value.isNew('x'), value.isNew('y'), value.isNew('x')]).toEqual([false, false, true])
  expect(value.current).toBe('x')
  expect(value.isNew('z')).toBe(true)
})
