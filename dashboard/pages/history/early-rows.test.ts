// Tests that rows which were read before the session are taken once, by the list that they belong to.

import { afterEach, expect, test, vi } from 'vitest'
import type { EnvironmentApi } from '../../api/environment.ts'
import { readEarlyRows, takeEarlyRows } from './early-rows.ts'

const PAGE = { data: [], nextCursor: null }
const address = new URLSearchParams('env=env_1&channel=inbox&message=msg_1')

function givenApi(deliveries: EnvironmentApi['deliveries']): EnvironmentApi {
  return { deliveries } as EnvironmentApi
}

afterEach(() => {
  vi.useRealTimers()
})

test('the page takes them once, by environment and filters', async () => {
  const asked: object[] = []
  const api = givenApi(async (query) => {
    asked.push(query)
    return PAGE
  })
  readEarlyRows(api, address)
  expect(await takeEarlyRows('env_1', { channel: 'inbox' })).toBe(PAGE)
  expect(takeEarlyRows('env_1', { channel: 'inbox' })).toBeUndefined()
  expect(asked).toEqual([{ channel: 'inbox', from: undefined, to: undefined, limit: 100 }])
})

test.each([
  ['env_2', { channel: 'inbox' }],
  ['env_1', {}],
] as const)('%s with %o gets none of them', (environmentId, filters) => {
  readEarlyRows(
    givenApi(async () => PAGE),
    address,
  )
  expect(takeEarlyRows(environmentId, filters)).toBeUndefined()
})

test('a read that failed is not taken: after the sign-in the page reads by itself', async () => {
  const failed = Promise.reject(new Error('no session'))
  readEarlyRows(
    givenApi(() => failed),
    address,
  )
  await failed.catch(() => {})
  expect(takeEarlyRows('env_1', { channel: 'inbox' })).toBeUndefined()
})

test('old rows are not taken', () => {
  vi.useFakeTimers()
  readEarlyRows(
    givenApi(async () => PAGE),
    address,
  )
  vi.advanceTimersByTime(11_000)
  expect(takeEarlyRows('env_1', { channel: 'inbox' })).toBeUndefined()
})
