// Tests that timers keep their rate whatever ends or interrupts the sleep, and that a batch keeps its order.

import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { ClaimedWait } from '../domain/run/run-wait.ts'
import { ApiError } from '../lib/api-error.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog } from '../lib/log.ts'
import { type ClaimLoop, createClaimLoop } from './claim-loop.ts'

let timers: ClaimLoop | undefined
afterEach(() => timers?.stop())

/** Makes waits due at once. @returns The run ids of each claim. */
function givenDue(count: number, options: { batch: number; perSecond: number }): number[][] {
  const claims: number[][] = []
  const due = Array.from({ length: count }, (_, runId) => ({ runId, attempts: 1, crashes: 0 }) as ClaimedWait)
  timers = createClaimLoop<ClaimedWait>({
    noun: 'run waits',
    ...options,
    store: {
      async claim(_now, _leaseMs, limit) {
        const claimed = due.splice(0, limit)
        claims.push(claimed.map(({ runId }) => runId))
        return claimed
      },
      nextDueInMs: async () => (due.length > 0 ? 0 : null),
    },
    async handle() {},
    async settled() {},
    underWay: () => [],
    isSuspect: ({ attempts }) => attempts > 1,
    async renew() {},
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  timers.start()
  return claims
}

test('the end of a batch, and new waits, do not bring the next claim forward', async () => {
  const claims = givenDue(6, { batch: 2, perSecond: 0.01 })
  for (let turn = 0; turn < 50; turn++) {
    timers?.pollBy(0)
    await setImmediate()
  }
  expect(claims).toEqual([[0, 1]])
})

test('all due waits are claimed, in their order', async () => {
  const claims = givenDue(5, { batch: 2, perSecond: 1_000_000 })
  await expect.poll(() => claims.flat()).toEqual([0, 1, 2, 3, 4])
})

test('a suspect is handled after all others and before the next claim, and a crashed one also waits for calls', async () => {
  const order: string[] = []
  const one = (runId: number, attempts: number, crashes: number) => ({ runId, attempts, crashes }) as ClaimedWait
  const due = [[one(1, 1, 0), one(2, 2, 0), one(3, 1, 0)], [one(4, 1, 1), one(5, 1, 0)], [one(6, 1, 0)]]
  let held: number[] = []
  timers = createClaimLoop<ClaimedWait>({
    noun: 'run waits',
    leaseMs: 1000,
    store: {
      async claim() {
        const claimed = due.shift() ?? []
        if (claimed.length > 0) order.push(`claim ${claimed.map(({ runId }) => runId)}`)
        return claimed
      },
      nextDueInMs: async () => (due.length > 0 ? 0 : null),
    },
    async handle(claimed) {
      const ids = claimed.map(({ runId }) => runId)
      order.push(`begin ${ids}`)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
      order.push(`end ${ids}`)
    },
    async settled() {
      order.push('settled')
    },
    underWay: () => [],
    isSuspect: ({ attempts, crashes }) => attempts > 1 || crashes > 0,
    async renew(claims) {
      held = claims.map(({ runId }) => runId)
    },
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  timers.start()
  await expect.poll(() => order.at(-1)).toBe('end 6')
  expect(order).toEqual([
    ...['claim 1,2,3', 'begin 1,3', 'end 1,3', 'begin 2', 'end 2'],
    ...['claim 4,5', 'begin 5', 'end 5', 'settled', 'begin 4', 'end 4', 'settled'],
    ...['claim 6', 'begin 6', 'end 6'],
  ])
  expect(held).toEqual([])
})

test('the claim of a suspect that waits for its turn is renewed', async () => {
  const suspect = { runId: 2, attempts: 2, crashes: 0 } as ClaimedWait
  const due = [[{ runId: 1, attempts: 1, crashes: 0 } as ClaimedWait, suspect]]
  let endFirst = () => {}
  const renewed: number[] = []
  const handled: number[] = []
  timers = createClaimLoop<ClaimedWait>({
    noun: 'run waits',
    leaseMs: 50,
    store: { claim: async () => due.shift() ?? [], nextDueInMs: async () => null },
    handle(claimed) {
      handled.push(...claimed.map(({ runId }) => runId))
      return handled.length > 1 ? Promise.resolve() : new Promise((resolve) => (endFirst = resolve))
    },
    async settled() {},
    underWay: () => [],
    isSuspect: ({ attempts }) => attempts > 1,
    async renew(claims) {
      renewed.push(...claims.map(({ runId }) => runId))
    },
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  timers.start()
  await expect.poll(() => renewed).toContain(2)
  expect(handled).toEqual([1])
  endFirst()
  await expect.poll(() => handled).toEqual([1, 2])
})

test('claims that end make room, though one of their batch goes on', async () => {
  const due = Array.from({ length: 6 }, (_, runId) => ({ runId, attempts: 1, crashes: 0 }) as ClaimedWait)
  const handled: number[] = []
  let endLast = () => {}
  timers = createClaimLoop<ClaimedWait>({
    noun: 'mails',
    ...{ batch: 2, kept: 3, perSecond: 1_000_000 },
    store: { claim: async (_now, _leaseMs, limit) => due.splice(0, limit), nextDueInMs: async () => null },
    async handle(claimed, onEnd) {
      for (const { runId } of claimed) handled.push(runId)
      for (const claim of claimed.slice(claimed.some(({ runId }) => runId === 0) ? 1 : 0)) onEnd(claim)
      if (claimed.some(({ runId }) => runId === 0)) await new Promise<void>((resolve) => (endLast = resolve))
    },
    async settled() {},
    underWay: () => [],
    isSuspect: () => false,
    async renew() {},
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  timers.start()
  await expect.poll(() => handled).toEqual([0, 1, 2, 3, 4, 5])
  endLast()
})

test('a store that is away causes one warning and one line at its return, however often it is asked', async () => {
  const lines: string[] = []
  let turns = 0
  timers = createClaimLoop<ClaimedWait>({
    noun: 'run waits',
    store: {
      async claim() {
        turns++
        if (turns <= 2) throw new ApiError('service/unavailable')
        return []
      },
      nextDueInMs: async () => null,
    },
    async handle() {},
    async settled() {},
    underWay: () => [],
    isSuspect: () => false,
    async renew() {},
    clock: systemClock,
    log: createLog('info', (line) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string }
      lines.push(`${level} ${msg}`)
    }),
  })
  timers.start()
  await expect.poll(() => lines).toEqual(['warn run waits not claimed', 'info run waits claimed again'])
})

test('work that waits is told of a stop, which waits for its end', async () => {
  let onStop = () => {}
  const isStopped = new Promise<void>((resolve) => {
    onStop = resolve
  })
  const due = [{ runId: 1, attempts: 1, crashes: 0 } as ClaimedWait]
  let begun = false
  timers = createClaimLoop<ClaimedWait>({
    noun: 'run waits',
    store: { claim: async () => due.splice(0), nextDueInMs: async () => null },
    handle() {
      begun = true
      return isStopped
    },
    onStop,
    async settled() {},
    async renew() {},
    underWay: () => [],
    isSuspect: () => false,
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  timers.start()
  await expect.poll(() => begun).toBe(true)
  await timers.stop()
})
