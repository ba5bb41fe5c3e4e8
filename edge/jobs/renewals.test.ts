// Tests which claims are renewed.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRenewals, type Renewals } from './renewals.ts'

const LEASE_MS = 5000
const INTERVAL_MS = 1000

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

test('a claim that ends within an interval is not renewed, a longer one is renewed before its lease ends', async () => {
  held = [claims.short, claims.long]
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(renewed).toEqual([])
  held = [claims.long, claims.longer]
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(renewed).toEqual([[claims.long]])
  expect(renewed[0]?.[0]).toBe(claims.long)
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(renewed[1]).toHaveLength(2)
  held = []
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  expect(renewed).toHaveLength(2)
})

test('an error of the store is logged, and the next interval tries again', async () => {
  held = [claims.long]
  faults = 2
  await vi.advanceTimersByTimeAsync(4 * INTERVAL_MS)
  expect([warned, renewed.length]).toEqual([2, 1])
})

test('nothing is renewed once it is stopped', async () => {
  held = [claims.long]
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  renewals.stop()
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  expect(renewed).toEqual([])
})
