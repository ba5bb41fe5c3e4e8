// Tests the events of the demo's month, without a store.

import { expect, test } from 'vitest'
import { FIRST_WEIGHTS, SECOND_VERSION_DAY } from './earlier-versions.ts'
import { DAY_MS } from './events.ts'
import { type LifeMessage, reactTo } from './reactions.ts'
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

test('weekends are quieter, at whichever hour of the week the month begins', () => {
  for (let hour = 0; hour < 7 * 24; hour += 5) {
    const counts = new Map<string, number>()
    for (const { at } of makeMonth(STARTS_AT + hour * 3_600_000).events) {
      const date = new Date(at).toISOString().slice(0, 10)
      counts.set(date, (counts.get(date) ?? 0) + 1)
    }
    // The first and the last date are no whole days.
    const whole = [...counts].slice(1, -1)
    function averageOf(weekdays: number[]): number {
      const dates = whole.filter(([date]) => weekdays.includes(new Date(date).getUTCDay()))
      return dates.reduce((sum, [, count]) => sum + count, 0) / dates.length
    }
    expect(averageOf([0, 6])).toBeLessThan(0.75 * averageOf([2, 3, 4]))
  }
})

test('so many people get invoices of the first version that each branch of it has some, whenever the month begins', () => {
  const least = Math.min(...Object.values(FIRST_WEIGHTS)) / 100
  for (let hour = 0; hour < 7 * 24; hour += 5) {
    const startsAt = STARTS_AT + hour * 3_600_000
    const split = makeMonth(startsAt).events.flatMap(({ at, input: { name, userId, properties } }) => {
      const isSplit = name === 'invoice.issued' && !Number(properties?.daysOverdue) && Number(properties?.total) <= 500
      return isSplit && at < startsAt + SECOND_VERSION_DAY * DAY_MS ? [userId] : []
    })
    expect((1 - least) ** new Set(split).size).toBeLessThan(1e-5)
  }
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

test('the three people of the shop have read all but the latest, whenever the month begins', () => {
  const context = { environmentId: 1, endsAt: ENDS_AT, layoutHash: '' }
  const [person] = makeMonth(STARTS_AT).people
  if (person === undefined) throw new Error('The month has no people.')
  for (let number = 0; number < 200; number += 1) {
    for (const category of ['orders', 'community', 'billing', 'care']) {
      const message: Omit<LifeMessage, 'createdAt'> = {
        ...{ id: number, version: 1, stepId: 'tell', userId: person.userId },
        ...{ correlationId: `c-${number}`, category, snapshot: '{"link":"/orders/L-1"}' },
        channel: 'inbox',
        status: 'delivered',
      }
      const reactionsAt = (createdAt: number) => reactTo({ ...message, createdAt }, person, context)
      expect(reactionsAt(ENDS_AT - 6 * 86_400_000).length).toBeGreaterThan(0)
      expect(reactionsAt(ENDS_AT - 86_400_000)).toEqual([])
    }
  }
})
