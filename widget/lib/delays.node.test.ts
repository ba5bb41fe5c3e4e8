// How pages spread their coming back.

import { expect, test } from 'vitest'
import { askDelayMs, firstAskDelayMs, reconnectDelayMs } from './delays.ts'

const spread = (delayMs: (random: () => number) => number) => [delayMs(() => 0), delayMs(() => 1)]

test('a lost socket comes back after 1 to 8 s, and later attempts after 1 to 10 s', () => {
  expect(spread((random) => reconnectDelayMs(0, random))).toEqual([1000, 8000])
  for (const attempt of [1, 2, 10, 1000]) {
    expect(spread((random) => reconnectDelayMs(attempt, random))).toEqual([1000, 10_000])
  }
})

test('15,000 pages that lose their server at one instant come back at an even pace', () => {
  const inTenths = new Map<number, number>()
  for (let page = 0; page < 15_000; page++) {
    const tenth = Math.floor(reconnectDelayMs(0) / 100)
    inTenths.set(tenth, (inTenths.get(tenth) ?? 0) + 1)
  }
  // An even pace is 214 in 100 ms.
  expect(Math.max(...inTenths.values())).toBeLessThan(300)
})

test('without a socket the changes are asked for within 3 s, then every 15 to 30 s', () => {
  expect(spread(firstAskDelayMs)).toEqual([0, 3000])
  expect(spread(askDelayMs)).toEqual([15_000, 30_000])
})
