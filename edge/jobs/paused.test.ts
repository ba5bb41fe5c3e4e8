// Tests that no job is claimed while the disk is low.

import { expect, test } from 'vitest'
import type { Job, Jobs } from '../domain/job.ts'
import { pauseClaims } from './paused.ts'

const times = { runAt: 1, createdAt: 1 }
const due: Job = { id: 1, environmentId: 1, kind: 'k', payload: '{}', ...times, attempts: 0, crashes: 0, fence: 0 }
const jobs: Jobs = {
  claim: async () => [due],
  async complete() {},
  async goOn() {},
  async fail() {},
  nextDueInMs: async () => 1,
}

test('while paused no job is claimed or due at once; afterwards jobs are claimed again', async () => {
  let isPaused = true
  const paused = pauseClaims(jobs, () => isPaused)
  expect(await paused.claim(5000, 1, 10, ['k'])).toEqual([])
  expect(await paused.nextDueInMs(5000)).toBe(1000)
  isPaused = false
  expect(await paused.claim(5000, 1, 10, ['k'])).toEqual([due])
  expect(await paused.nextDueInMs(5000)).toBe(1)
})
