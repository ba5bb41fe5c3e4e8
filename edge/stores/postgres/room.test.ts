// The watch over the room of PostgreSQL, between its trials; with a disk that is really full: edge/test/postgres/full-disk.postgres.test.ts.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRoom } from './room.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const noRoom = () => Object.assign(new Error('no room'), { code: '53100' })

function givenRoom(trial: () => Promise<unknown>) {
  const query = vi.fn(trial)
  const room = createRoom({ query })
  return { query, note: room.note, freeBytes: async () => (await room.probe()).freeBytes }
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
