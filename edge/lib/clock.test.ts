// Tests that a node follows the clock of the store, also after its own clock was set (docs/decisions/0008-postgres-node-leases.md).

import { expect, test } from 'vitest'
import { createStoreClock } from './clock.ts'

const STORE_AT = Date.UTC(2026, 5, 1)
const HOUR_MS = 3_600_000

/** Creates a node and a store whose clock runs with the process; `set` changes only the clock of the node. */
function givenNode(skewMs: number) {
  let passedMs = 0
  let ownSkewMs = skewMs
  const storeNow = () => STORE_AT + passedMs
  const clock = createStoreClock({ now: () => storeNow() + ownSkewMs, monotonicMs: () => passedMs })
  return {
    clock,
    storeNow,
    compare: (tookMs = 2) =>
      clock.compare(async () => {
        passedMs += tookMs / 2
        const at = storeNow()
        passedMs += tookMs / 2
        return at
      }),
    pass: (ms: number) => {
      passedMs += ms
    },
    set: (ms: number) => {
      ownSkewMs = ms
    },
  }
}

test.each([-HOUR_MS, -5 * 60_000, -1500, 1500, 5 * 60_000, HOUR_MS])(
  'a node whose clock is %i ms off follows the clock of the store',
  async (skewMs) => {
    const { clock, storeNow, compare, pass } = givenNode(skewMs)
    await compare()
    expect(clock.now()).toBe(storeNow())
    pass(30_000)
    await compare()
    expect(clock.now()).toBe(storeNow())
  },
)

test('a node whose clock differs by less than a second keeps its own, and a slow answer changes nothing', async () => {
  const { clock, storeNow, compare } = givenNode(700)
  await compare()
  expect(clock.now()).toBe(storeNow() + 700)
  const late = givenNode(1400)
  await late.compare(1000)
  expect(late.clock.now()).toBe(late.storeNow() + 1400)
})

test('a clock that is set while the node runs has no effect, neither before the next comparison nor after it', async () => {
  const { clock, storeNow, compare, pass, set } = givenNode(0)
  await compare()
  for (const skewMs of [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, 0]) {
    pass(200)
    set(skewMs)
    expect(clock.now()).toBe(storeNow())
    await compare()
    expect(clock.now()).toBe(storeNow())
    pass(200)
    expect(clock.now()).toBe(storeNow())
  }
})
