// Tests the disk check of PostgreSQL between its trials; edge/test/postgres/full-disk.postgres.test.ts has a full
// disk.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDiskSpace } from './disk-space.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const noRoom = () => Object.assign(new Error('no room'), { code: '53100' })

function givenRoom(trial: () => Promise<unknown>) {
  const query = vi.fn(trial)
  const space = createDiskSpace({ query })
  return { query, note: space.recordFault, freeBytes: async () => (await space.probe()).freeBytes }
}

test('nothing is tried before a commit has found no room, whatever else it failed of', async () => {
  const { query, note, freeBytes } = givenRoom(() => Promise.reject(noRoom()))
  note(Object.assign(new Error('gone'), { code: '57P01' }))
  expect(await freeBytes()).toBeGreaterThan(0)
  expect(query).not.toHaveBeenCalled()
})

test('from then on it is full until the trial finds room', async () => {
  let isFull = true
  const { note, freeBytes } = givenRoom(async () => {
    if (isFull) throw noRoom()
  })
  note(noRoom())
  expect([await freeBytes(), await freeBytes()]).toEqual([0, 0])
  isFull = false
  expect(await freeBytes()).toBeGreaterThan(0)
})

test('once a minute the work itself is let through, and what it finds counts', async () => {
  const { note, freeBytes } = givenRoom(() => Promise.reject(new Error('permission denied')))
  note(noRoom())
  vi.advanceTimersByTime(59_000)
  expect(await freeBytes()).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(await freeBytes()).toBeGreaterThan(0)
  note(noRoom())
  expect(await freeBytes()).toBe(0)
})
