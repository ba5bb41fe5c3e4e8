// Tests since when retention counts as behind: from the first turn that leaves something, or fails, until one leaves nothing.

import { expect, test } from 'vitest'
import { createRetentionWatch } from './retention-watch.ts'

test('retention is behind from the first turn that leaves something, or fails', async () => {
  let now = 1000
  let left: 'nothing' | 'something' | 'fault' = 'nothing'
  const { watch, behindMs } = createRetentionWatch({ now: () => now })
  const turn = watch(async () => {
    if (left === 'fault') throw new Error('no store')
    return { rows: 0, steps: 0, done: left === 'nothing' }
  })
  await turn()
  expect(behindMs()).toBe(0)
  left = 'something'
  await turn()
  now += 5000
  left = 'fault'
  await expect(turn()).rejects.toThrow('no store')
  expect(behindMs()).toBe(5000)
  left = 'nothing'
  await turn()
  expect(behindMs()).toBe(0)
})
