// Tests that timers keep their rate whatever ends or interrupts the sleep, and that a batch keeps its order.

import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { ClaimedWait } from '../domain/run/run-wait.ts'
import { systemClock } from '../lib/clock.ts'
import { type ClaimLoop, createClaimLoop } from './claim-loop.ts'

let timers: ClaimLoop | undefined
afterEach(() => timers?.stop())

/** Makes waits due at once. @returns The run ids of each claim. */
function givenDue(count: number, options: { batch: number; perSecond: number }): number[][] {
  const claims: number[][] = []
  const due = Array.from({ length: count }, (_, runId) => ({ runId }) as ClaimedWait)
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
