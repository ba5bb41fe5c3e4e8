// Tests which calls of enrichers are put off: large ones beside others, by environment and in all, and never small ones of others.

import { expect, test } from 'vitest'
import { createCallRoom } from './call-room.ts'

const LARGE = 252 * 1024

test('an environment has 1 MiB, all have 2 MiB, and what ends makes room', () => {
  const room = createCallRoom()
  const calls = [1, 2, 3].flatMap((id) => Array.from({ length: 4 }, () => room.enter(id, LARGE)))
  expect(calls.map(({ isTooMuch }) => isTooMuch)).toEqual([...Array(8).fill(false), ...Array(4).fill(true)])
  for (const one of calls.slice(8)) one.end()
  expect(room.enter(1, LARGE).isTooMuch).toBe(true)
  calls[0]?.end()
  calls[1]?.end()
  expect(room.enter(3, LARGE).isTooMuch).toBe(false)
})

test('a small call has room beside large ones of others, and one that is alone in any case', () => {
  const room = createCallRoom()
  expect(room.enter(1, 3 * 1024 * 1024).isTooMuch).toBe(false)
  expect(room.enter(2, 1000).isTooMuch).toBe(false)
  expect(room.enter(2, LARGE).isTooMuch).toBe(true)
})
