// Tests that the ledger detects lost, doubled and unexpected messages; without this, crash tests prove nothing.

import { expect, test } from 'vitest'
import { compareMarks, createRandom, type Entry, expectedMarks } from './ledger.ts'

const entry = (number: number, state: Entry['state'], ...userIds: string[]): Entry => ({
  number,
  userIds,
  state,
  eventId: null,
})

test('each recipient of an acknowledged event is expected, and none of a refused one', () => {
  expect(expectedMarks([entry(1, 'ok', 'a', 'b'), entry(2, 'fail', 'a')])).toEqual(['a 1', 'b 1'])
  expect(() => expectedMarks([entry(3, 'unknown', 'a')])).toThrow('3')
})

test('lost, doubled and unexpected marks are found', () => {
  expect(compareMarks(['a 1', 'a 2'], ['a 1', 'a 2'])).toEqual({ lost: [], doubled: [], phantom: [] })
  expect(compareMarks(['a 1', 'a 2'], ['a 2', 'a 2', 'b 1'])).toEqual({
    lost: ['a 1'],
    doubled: ['a 2'],
    phantom: ['b 1'],
  })
})

test('the same seed gives the same numbers', () => {
  const [one, two] = [createRandom(7), createRandom(7)]
  expect([one(), one(), one()]).toEqual([two(), two(), two()])
  expect(createRandom(8)()).not.toBe(createRandom(7)())
})
