// Tests that clicks say exactly what the condition says, and that the rest stays as it is written.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationWords } from '../lib/duration-words.ts'
import {
  type Clause,
  type Clicks,
  COMPARISONS,
  LIST_TESTS,
  MEMBER,
  mayAskPresence,
  PRESENCE,
  printClicks,
  readClicks,
  readProperty,
  TEXT_TESTS,
} from './clicks.ts'
import { printAmount, readAmount, UNITS } from './durations.ts'

const literal = fc.oneof(
  fc.string(),
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
    .filter((n) => /^-?\d+(\.\d+)?$/.test(String(n)) && !Object.is(n, -0)),
  fc.boolean(),
  fc.constant(null),
)
const property = fc
  .tuple(
    fc.constantFrom('event', 'user'),
    fc.array(fc.oneof(fc.constantFrom('properties', 'total', 'in', 'order-id', 'contains'), fc.string()), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([root, keys]) => [root, ...keys])
const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc.record({ property, test: fc.constantFrom(...COMPARISONS), value: literal }),
  fc.record({ property, test: fc.constantFrom(...TEXT_TESTS), value: fc.string() }),
  fc.record({
    property,
    test: fc.constantFrom(...LIST_TESTS),
    values: fc.array(literal, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ property, test: fc.constant(MEMBER), value: literal }),
  fc.record({ property: property.filter(mayAskPresence), test: fc.constantFrom(...PRESENCE) }),
)
const clicks: fc.Arbitrary<Clicks> = fc.record({
  join: fc.constantFrom('all', 'any'),
  clauses: fc.array(clause, { minLength: 1, maxLength: 4 }),
})

test('what is printed is read as the same clicks', () => {
  fc.assert(
    fc.property(clicks, (given) => {
      const one = given.clauses.length === 1 ? { ...given, join: 'all' as const } : given
      expect(readClicks(printClicks(given))).toEqual(one)
    }),
  )
})

test.each([
  'event.properties.total + 1 > 2',
  'a == 1 && b == 2 || c == 3',
  '(a == 1)',
  'event.properties.total > 1.50',
  'size(event.properties.items) > 1',
  '!(a == 1)',
  'a == "x',
  'a == 12u',
  'has(event)',
  'a.b(1)',
  '',
  'true',
  "a == 'x\\'y'",
])('%j is more than clicks can say', (source) => expect(readClicks(source)).toBeUndefined())

test('conditions as people write them are read', () => {
  expect(readClicks(`event.properties.total > 100 && user.locale in ['de', "fr"]`)).toEqual({
    join: 'all',
    clauses: [
      { property: ['event', 'properties', 'total'], test: '>', value: 100 },
      { property: ['user', 'locale'], test: 'in', values: ['de', 'fr'] },
    ],
  })
  expect(readProperty('event.properties["order-id"]')).toEqual(['event', 'properties', 'order-id'])
})

test('a duration of one unit is an amount, and words; another one stays as it is', () => {
  for (const unit of UNITS)
    for (const amount of [1, 90]) expect(readAmount(printAmount({ amount, unit }))).toEqual({ amount, unit })
  expect(durationWords('PT1H')).toBe('1 hour')
  expect(durationWords('PT10M')).toBe('10 minutes')
  expect(durationWords('PT1H30M')).toBe('1 hour 30 minutes')
  for (const text of ['P1.5D', 'P1M', 'PT', '10 minutes']) expect(readAmount(text)).toBeUndefined()
})
