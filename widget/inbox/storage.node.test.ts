// Tests the storage where the browser never answers: memory takes over after two seconds, and no timer stays.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStorage } from './storage.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // As in WebKit while the page before this one is frozen in the middle of a write.
  vi.stubGlobal('indexedDB', { open: () => ({}) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function after<T>(ms: number, asked: Promise<T>): Promise<T | 'waits'> {
  let answer: T | 'waits' = 'waits'
  void asked.then((value) => {
    answer = value
  })
  await vi.advanceTimersByTimeAsync(ms)
  return answer
}

test('a read is answered by memory, once two seconds are over', async () => {
  const storage = openStorage()
  const asked = storage.get('list')
  expect(await after(1900, asked)).toBe('waits')
  expect(await after(200, asked)).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('what was written stands in memory, and is there at once from then on', async () => {
  const storage = openStorage()
  expect(
    await after(
      2100,
      storage.update<string[]>('due', (old = []) => [...old, 'a']),
    ),
  ).toBeUndefined()
  expect(
    await after(
      0,
      storage.update<string[]>('due', (old = []) => [...old, 'b']),
    ),
  ).toBeUndefined()
  expect(await after(0, storage.get('due'))).toEqual(['a', 'b'])
})

test('keys and removals do not wait for ever either', async () => {
  const storage = openStorage()
  expect(await after(2100, storage.keys())).toEqual([])
  expect(await after(2100, storage.del('list'))).toBeUndefined()
})

test('a read is answered when its value is there, before its transaction has ended', async () => {
  const request = (result?: unknown) => {
    const asked = { result, onsuccess: () => {} }
    setTimeout(() => asked.onsuccess(), 10)
    return asked
  }
  const database = {
    objectStoreNames: { contains: () => true },
    close: () => {},
    transaction: () => ({ objectStore: () => store }),
  }
  const store = { transaction: { db: database }, get: () => request('kept'), put: () => request() }
  vi.stubGlobal('indexedDB', { open: () => request(database) })
  const storage = openStorage()
  expect(await after(50, storage.get('list'))).toBe('kept')
  const written = storage.update('list', () => 'new')
  expect(await after(50, written)).toBe('waits')
})
