// Who is turned away when too much is under way: shares of environments, bytes of bodies, a loop or a queue that does not keep up.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { type AdmissionLimits, createAdmission } from './admission.ts'

afterEach(() => vi.useRealTimers())

function givenAdmission(limits: Partial<AdmissionLimits> = { events: 100 }) {
  const state = { at: 0, oldestMs: 0 }
  const admission = createAdmission({ backlog: () => state, limits, monotonicNow: () => state.at })
  const held: (() => void)[] = []
  /** Takes room; answers whether there was some. */
  function hold(environmentId: number, events: number, authorization = `Bearer ${environmentId}`): boolean {
    try {
      held.push(admission.hold(environmentId, events, authorization))
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
  return { ...admission, state, held, hold }
}

describe('events', () => {
  test('one environment alone gets half, and leaves room for whoever comes', () => {
    const { hold, load } = givenAdmission()
    expect([hold(1, 50), hold(1, 1)]).toEqual([true, false])
    expect([hold(2, 33), hold(2, 1)]).toEqual([true, false])
    expect(load().events).toBe(83)
  })

  test('many environments have equal shares, and never more than all', () => {
    const { hold, load } = givenAdmission()
    const taken = new Map<number, number>()
    for (let round = 0; round < 100; round++) {
      for (let environmentId = 1; environmentId <= 4; environmentId++) {
        if (hold(environmentId, 1)) taken.set(environmentId, (taken.get(environmentId) ?? 0) + 1)
      }
    }
    expect(Math.max(...taken.values()) - Math.min(...taken.values())).toBeLessThanOrEqual(1)
    expect(load().events).toBeGreaterThanOrEqual(80)
    expect(hold(5, 10)).toBe(true)
    expect(load().events).toBeLessThanOrEqual(100)
  })

  test('a batch that is larger than what is left is refused whole; a smaller one fits', () => {
    const { hold } = givenAdmission()
    expect([hold(1, 40), hold(1, 11), hold(1, 10)]).toEqual([true, false, true])
  })

  test('room comes back once, however often it is given back', () => {
    const { hold, held, load } = givenAdmission()
    hold(1, 30)
    hold(1, 20)
    held[0]?.()
    held[0]?.()
    expect(load().events).toBe(20)
    expect([hold(1, 31), hold(1, 30)]).toEqual([false, true])
  })
})

describe('the door', () => {
  test('is shut for who was just turned away, until there is room, and for nobody else', () => {
    const { hold, held, isShut } = givenAdmission()
    hold(1, 50)
    expect(isShut('Bearer 1')).toBe(false)
    hold(1, 10)
    expect([isShut('Bearer 1'), isShut('Bearer 2'), isShut(undefined)]).toEqual([true, false, false])
    held[0]?.()
    expect(isShut('Bearer 1')).toBe(false)
  })

  test('lets in no more at once than would fit', () => {
    const { hold, held, isShut, state } = givenAdmission()
    for (const [environmentId, count] of [
      [2, 40],
      [3, 20],
      [1, 10],
      [1, 20],
    ] as const)
      hold(environmentId, count)
    held[2]?.()
    // A share is 25 now, and each that enters may ask for 20.
    expect([isShut('Bearer 1'), isShut('Bearer 1')]).toEqual([false, true])
    // Who never asks is forgotten.
    state.at += 100
    expect(isShut('Bearer 1')).toBe(false)
  })

  test('is shut for all when all room is taken', () => {
    const { hold, isShut } = givenAdmission()
    expect([hold(1, 50), hold(2, 33), hold(3, 17)]).toEqual([true, true, true])
    expect([isShut('Bearer 9'), isShut(undefined)]).toEqual([true, true])
  })

  test('remembers a bounded number of those that it turned away', () => {
    const { hold, isShut } = givenAdmission()
    hold(1, 50)
    for (let i = 0; i < 5000; i++) hold(1, 1, `Bearer ${i}`)
    expect([isShut('Bearer 4999'), isShut('Bearer 10')]).toEqual([true, false])
  })

  test('is shut while the commit queue stands still', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { start, stop, isShut, state } = givenAdmission({ oldestMs: 1000 })
    const look = () => {
      state.at += 50
      vi.advanceTimersByTime(50)
    }
    start()
    state.oldestMs = 1000
    look()
    expect(isShut('Bearer 1')).toBe(true)
    state.oldestMs = 0
    look()
    expect(isShut('Bearer 1')).toBe(false)
    stop()
  })

  test('is shut while the loop lags again and again; one halt is not enough', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { start, stop, isShut, state } = givenAdmission({ lagMs: 500, lagSamples: 3 })
    const look = (lateMs: number) => {
      state.at += 50 + lateMs
      vi.advanceTimersByTime(50)
      return isShut('Bearer 1')
    }
    start()
    expect([look(3000), look(0), look(600), look(600), look(600), look(499)]).toEqual([
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

test('bytes of bodies are taken while there is room, and given back', () => {
  const { takeBytes, giveBytes, load } = givenAdmission({ bodyBytes: 1000 })
  expect([takeBytes(900), takeBytes(101), takeBytes(100)]).toEqual([true, false, true])
  giveBytes(900)
  expect(load().bodyBytes).toBe(100)
})
