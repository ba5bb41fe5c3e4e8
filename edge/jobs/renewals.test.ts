// What is renewed, and what is not worth it.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRenewals, type Renewals } from './renewals.ts'

const LEASE_MS = 5000
const LOOK_MS = 1000

const claims = { short: {}, long: {}, longer: {} }
let held: object[] = []
let renewed: object[][] = []
let faults = 0
let warned = 0
let renewals: Renewals
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  held = []
  renewed = []
  faults = 0
  warned = 0
  renewals = createRenewals({
    underWay: () => held,
    async renew(some) {
      if (faults-- > 0) throw new Error('The store is away.')
      renewed.push(some)
    },
    leaseMs: LEASE_MS,
    log: { warn: () => void warned++ },
  })
  renewals.start()
})
afterEach(() => {
  renewals.stop()
  vi.useRealTimers()
})

test('what ends between two looks costs nothing, what goes on is renewed before its lease is over', async () => {
  held = [claims.short, claims.long]
  await vi.advanceTimersByTimeAsync(LOOK_MS)
  expect(renewed).toEqual([])
  held = [claims.long, claims.longer]
  await vi.advanceTimersByTimeAsync(LOOK_MS)
  expect(renewed).toEqual([[claims.long]])
  expect(renewed[0]?.[0]).toBe(claims.long)
  await vi.advanceTimersByTimeAsync(LOOK_MS)
  expect(renewed[1]).toHaveLength(2)
  held = []
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  expect(renewed).toHaveLength(2)
})

test('a fault of the store is told, and the next look tries again', async () => {
  held = [claims.long]
  faults = 2
  await vi.advanceTimersByTimeAsync(4 * LOOK_MS)
  expect([warned, renewed.length]).toEqual([2, 1])
})

test('nothing is renewed once it is stopped', async () => {
  held = [claims.long]
  await vi.advanceTimersByTimeAsync(LOOK_MS)
  renewals.stop()
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  expect(renewed).toEqual([])
})
