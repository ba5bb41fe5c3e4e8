// Tests the disk check of PostgreSQL between its trials; edge/test/postgres/full-disk.postgres.test.ts has a full
// disk.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDiskSpace } from './disk-space.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const diskFullError = () => Object.assign(new Error('no space'), { code: '53100' })

function givenDiskSpace(trial: () => Promise<unknown>) {
  const query = vi.fn(trial)
  const space = createDiskSpace({ query })
  return { query, recordFault: space.recordFault, freeBytes: async () => (await space.probe()).freeBytes }
}

test('no trial runs before a commit fails for lack of space; other errors do not count', async () => {
  const { query, recordFault, freeBytes } = givenDiskSpace(() => Promise.reject(diskFullError()))
  recordFault(Object.assign(new Error('gone'), { code: '57P01' }))
  expect(await freeBytes()).toBeGreaterThan(0)
  expect(query).not.toHaveBeenCalled()
})

test('from then on the disk counts as full until the trial succeeds', async () => {
  let isFull = true
  const { recordFault, freeBytes } = givenDiskSpace(async () => {
    if (isFull) throw diskFullError()
  })
  recordFault(diskFullError())
  expect([await freeBytes(), await freeBytes()]).toEqual([0, 0])
  isFull = false
  expect(await freeBytes()).toBeGreaterThan(0)
})

test('once a minute real commits are tried, and their result counts', async () => {
  const { recordFault, freeBytes } = givenDiskSpace(() => Promise.reject(new Error('permission denied')))
  recordFault(diskFullError())
  vi.advanceTimersByTime(59_000)
  expect(await freeBytes()).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(await freeBytes()).toBeGreaterThan(0)
  recordFault(diskFullError())
  expect(await freeBytes()).toBe(0)
})
