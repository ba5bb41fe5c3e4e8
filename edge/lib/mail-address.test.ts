// Tests which texts are addresses of mail.

import { expect, test } from 'vitest'
import { isAddress } from './mail-address.ts'

test.each([
  'ada@example.org',
  'a.b+c@example.org',
  'ada@bücher.example',
  'ada@xn--bcher-kva.example',
  'jürgen@例え.jp',
])('takes %s', (text) => {
  expect(isAddress(text)).toBe(true)
})

test.each([
  'a..b@example.org',
  '.a@example.org',
  'a.@example.org',
  'ada@example.org.',
  'ada@.example.org',
  'ada@example..org',
  'ada@localhost',
  'a@b@example.org',
  'ada\u200b@example.org',
  'ada@exam\u00adple.org',
  'ada\ufe0f@example.org',
  'ada\u034f@example.org',
  'ada\u3164@example.org',
  'ada@example\u115f.org',
  'ada\u2800@example.org',
  'ada\u202e@example.org',
  'ada\u00a0b@example.org',
  `${'a'.repeat(65)}@example.org`,
  'ada@xn--a.example',
])('refuses %j', (text) => {
  expect(isAddress(text)).toBe(false)
})
