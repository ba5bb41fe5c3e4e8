// Tests the keys that are proposed for new campaigns.

import { expect, test } from 'vitest'
import { KEY_GRAMMAR, MAX_KEY_CHARS } from '../../../contract/key.ts'
import { freeKey, keyOfName } from './propose-key.ts'

test.each([
  ['Order shipped', 'order-shipped'],
  ['Payment failed (from Stripe)', 'payment-failed-from-stripe'],
  ['Größe: über 100 €', 'grosse-uber-100'],
  ['  ', 'campaign'],
  ['注文', 'campaign'],
])('the key of “%s” is %s', (name, key) => expect(keyOfName(name)).toBe(key))

test('a key that is taken gets the first free number, within the length of a key', () => {
  expect(freeKey('welcome', new Set(['other']))).toBe('welcome')
  expect(freeKey('welcome', new Set(['welcome', 'welcome-2']))).toBe('welcome-3')
  const long = keyOfName('a '.repeat(200))
  const key = freeKey(long, new Set([long]))
  expect(key).toMatch(KEY_GRAMMAR)
  expect(key.length).toBeLessThanOrEqual(MAX_KEY_CHARS)
})
