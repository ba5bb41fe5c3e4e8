// Tests the limits of work in progress: shares of environments, bytes of bodies, a slow event loop or commit queue.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { createLoadShedding, type LoadLimits } from './load-shedding.ts'

afterEach(() => vi.useRealTimers())

function givenLoadShedding(limits: Partial<LoadLimits> = { events: 100 }) {
  const state = { at: 0, oldestMs: 0 }
  const loadShedding = createLoadShedding({ backlog: () => state, limits, monotonicNow: () => state.at })
  const held: (() => void)[] = []
  /** Reserves capacity. @returns Whether it was available. */
  function reserveEvents(environmentId: number, events: number, authorization = `Bearer ${environmentId}`): boolean {
    try {
      held.push(loadShedding.reserveEvents(environmentId, events, authorization))
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      expect(error).toMatchObject({
        code: 'service/unavailable',
        extra: { reason: 'overloaded', retryAfterSeconds: 1 },
      })
      return false
    }
  }
  return { ...loadShedding, state, held, reserveEvents }
}

describe('events', () => {
  test('a single environment gets half, and leaves capacity for others', () => {
    const { reserveEvents, load } = givenLoadShedding()
    expect([reserveEvents(1, 50), reserveEvents(1, 1)]).toEqual([true, false])
    expect([reserveEvents(2, 33), reserveEvents(2, 1)]).toEqual([true, false])
    expect(load().events).toBe(83)
  })

  test('several environments have equal shares, together at most the limit', () => {
    const { reserveEvents, load } = givenLoadShedding()
    const taken = new Map<number, number>()
    for (let round = 0; round < 100; round++) {
      for (let environmentId = 1; environmentId <= 4; environmentId++) {
        if (reserveEvents(environmentId, 1)) taken.set(environmentId, (taken.get(environmentId) ?? 0) + 1)
      }
    }
    expect(Math.max(...taken.values()) - Math.min(...taken.values())).toBeLessThanOrEqual(1)
    expect(load().events).toBeGreaterThanOrEqual(80)
    expect(reserveEvents(5, 10)).toBe(true)
    expect(load().events).toBeLessThanOrEqual(100)
  })

  test('a batch beyond the free capacity is refused as a whole; a smaller batch is accepted', () => {
    const { reserveEvents } = givenLoadShedding()
    expect([reserveEvents(1, 40), reserveEvents(1, 11), reserveEvents(1, 10)]).toEqual([true, false, true])
  })

  test('capacity is released once, even if the release is called twice', () => {
    const { reserveEvents, held, load } = givenLoadShedding()
    reserveEvents(1, 30)
    reserveEvents(1, 20)
    held[0]?.()
    held[0]?.()
    expect(load().events).toBe(20)
    expect([reserveEvents(1, 31), reserveEvents(1, 30)]).toEqual([false, true])
  })
})

describe('early rejection', () => {
  test('rejects a key that was just rejected, until capacity is free, and no other key', () => {
    const { reserveEvents, held, shouldReject } = givenLoadShedding()
    reserveEvents(1, 50)
    expect(shouldReject('Bearer 1')).toBe(false)
    reserveEvents(1, 10)
    expect([shouldReject('Bearer 1'), shouldReject('Bearer 2'), shouldReject(undefined)]).toEqual([true, false, false])
    held[0]?.()
    expect(shouldReject('Bearer 1')).toBe(false)
  })

  test('accepts only as many requests at once as have capacity', () => {
    const { reserveEvents, held, shouldReject, state } = givenLoadShedding()
    for (const [environmentId, count] of [
      [2, 40],
      [3, 20],
      [1, 10],
      [1, 20],
    ] as const)
      reserveEvents(environmentId, count)
    held[2]?.()
    // A share is 25 now, and each accepted request may reserve 20.
    expect([shouldReject('Bearer 1'), shouldReject('Bearer 1')]).toEqual([false, true])
    // Requests that never reserve anything are forgotten.
    state.at += 100
    expect(shouldReject('Bearer 1')).toBe(false)
  })

  test('rejects all requests when all capacity is reserved', () => {
    const { reserveEvents, shouldReject } = givenLoadShedding()
    expect([reserveEvents(1, 50), reserveEvents(2, 33), reserveEvents(3, 17)]).toEqual([true, true, true])
    expect([shouldReject('Bearer 9'), shouldReject(undefined)]).toEqual([true, true])
  })

  test('remembers a bounded number of rejected keys', () => {
    const { reserveEvents, shouldReject } = givenLoadShedding()
    reserveEvents(1, 50)
    for (let i = 0; i < 5000; i++) reserveEvents(1, 1, `Bearer ${i}`)
    expect([shouldReject('Bearer 4999'), shouldReject('Bearer 10')]).toEqual([true, false])
  })

  test('rejects all requests while the commit queue does not advance', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { start, stop, shouldReject, state } = givenLoadShedding({ oldestMs: 1000 })
    const sample = () => {
      state.at += 50
      vi.advanceTimersByTime(50)
    }
    start()
    state.oldestMs = 1000
    sample()
    expect(shouldReject('Bearer 1')).toBe(true)
    state.oldestMs = 0
    sample()
    expect(shouldReject('Bearer 1')).toBe(false)
    stop()
  })

  test('rejects all requests while the event loop lags repeatedly, not after a single lag', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { start, stop, shouldReject, state } = givenLoadShedding({ lagMs: 500, lagSamples: 3 })
    const sample = (lateMs: number) => {
      state.at += 50 + lateMs
      vi.advanceTimersByTime(50)
      return shouldReject('Bearer 1')
    }
    start()
    expect([sample(3000), sample(0), sample(600), sample(600), sample(600), sample(499)]).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
    ])
    stop()
  })
})

test('bytes of bodies are reserved up to the limit, and released', () => {
  const { reserveBytes, releaseBytes, load } = givenLoadShedding({ bodyBytes: 1000 })
  expect([reserveBytes(900), reserveBytes(101), reserveBytes(100)]).toEqual([true, false, true])
  releaseBytes(900)
  expect(load().bodyBytes).toBe(100)
})
