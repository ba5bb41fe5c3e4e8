// Tests when mails without a place ask again: at the pace of the answers, and later where nothing is answered; and that a
// stop waits for no mail but those that are sent.

import { expect, test } from 'vitest'
import { createRouteSlots } from './route-slots.ts'

const ROUTE = 1

/** Fills a route: ten mails are sent, ten are prepared and 200 wait. @returns the ends of those that are sent, in their order */
function given() {
  const clock = { at: 1_000_000, now: () => clock.at }
  const slots = createRouteSlots(clock)
  const ends: (() => void)[] = []
  const send = () => new Promise<void>((resolve) => ends.push(resolve))
  const prepare = async () => {}
  const fill = () => {
    while (slots.run(ROUTE, prepare, send) !== undefined);
  }
  /** Answers mails, one each `everyMs`, and fills their places. */
  async function answer(count: number, everyMs: number) {
    for (let at = 0; at < count; at++) {
      clock.at += everyMs
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
      fill()
    }
  }
  const away = () => slots.retryAt(ROUTE) - clock.at
  fill()
  return { clock, answer, away }
}

test.each([2, 20, 100])(
  'a route that answers each %i ms gets its mails back in that pace, before it is empty',
  async (everyMs) => {
    const { answer, away } = given()
    await answer(150, everyMs)
    const times = Array.from({ length: 50 }, away)
    expect(times[0]).toBeGreaterThan(everyMs * 90)
    expect(times[0]).toBeLessThan(everyMs * 120)
    const [first = 0, last = 0] = [times[0], times.at(-1)]
    expect((last - first) / 49).toBeCloseTo(everyMs, 0)
  },
)

test('no mail is away for more than half a minute, and none for more than five seconds where nothing is answered', async () => {
  const { clock, answer, away } = given()
  await answer(50, 20)
  const times = Array.from({ length: 5000 }, away)
  expect(Math.max(...times)).toBe(30_000)
  clock.at += 1001
  expect(away()).toBe(5000)
})

test('an answer after a long silence counts as one slow answer', async () => {
  const { clock, answer, away } = given()
  await answer(150, 20)
  clock.at += 3_600_000
  await answer(1, 20)
  expect(away()).toBeLessThan(20_000)
})

test('a stop gives back what waits for a place, and lets what is sent end', async () => {
  const slots = createRouteSlots({ now: () => 1_000_000 })
  const ends: (() => void)[] = []
  const send = () => new Promise<string>((resolve) => ends.push(() => resolve('sent')))
  const mails = Array.from({ length: 40 }, () => slots.run(ROUTE, async () => {}, send))
  await expect.poll(() => ends.length).toBe(10)
  slots.stop()
  expect(slots.run(ROUTE, async () => {}, send)).toBeUndefined()
  expect(slots.retryAt(ROUTE)).toBe(1_000_000)
  expect(await Promise.all(mails.slice(10))).toEqual(Array(30).fill(undefined))
  for (const end of ends) end()
  expect(await Promise.all(mails.slice(0, 10))).toEqual(Array(10).fill('sent'))
  expect(ends).toHaveLength(10)
})
