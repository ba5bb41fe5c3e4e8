// Tests the events of the demo's month, without a store.

import { expect, test } from 'vitest'
import { LIFE_DAYS, makeMonth } from './write-life.ts'

const STARTS_AT = Date.UTC(2026, 2, 3, 9)
const ENDS_AT = STARTS_AT + LIFE_DAYS * 86_400_000

test('a month is the same at each call', () => {
  expect(makeMonth(STARTS_AT)).toEqual(makeMonth(STARTS_AT))
})

test('each event has a time of its own, in the month', () => {
  const times = makeMonth(STARTS_AT).events.map(({ at }) => at)
  expect(new Set(times).size).toBe(times.length)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(Math.min(...times)).toBeGreaterThanOrEqual(STARTS_AT)
  expect(Math.max(...times)).toBeLessThan(ENDS_AT)
})

test('nothing happens to people before they sign up', () => {
  const { people, events } = makeMonth(STARTS_AT)
  for (const { userId, joinsOn } of people) {
    const own = events.filter(({ input }) => input.userId === userId || input.userIds?.includes(userId))
    const joined = own.filter(({ input }) => input.name === 'user.signed-up')
    expect(joined.length).toBe(joinsOn === null ? 0 : 1)
    if (joined[0] !== undefined) expect(own[0]).toBe(joined[0])
  }
})

test('all addresses are reserved for examples', () => {
  const addresses = makeMonth(STARTS_AT).people.flatMap(({ profile }) => profile.email ?? [])
  expect(addresses.length).toBeGreaterThan(150)
  for (const address of addresses) expect(address).toMatch(/^[a-z.0-9]+@example\.com$/)
})
