// Tests which addresses the sandbox of an environment lets out, in all their spellings.

import { expect, test } from 'vitest'
import { findWayOut, sandboxOf } from './email-sandbox.ts'

test('by default production has none, and another environment lets nothing out', () => {
  expect(findWayOut(sandboxOf({ isProduction: true }), 'ada@example.org')).toBe('ada@example.org')
  expect(sandboxOf({ isProduction: false, emailSandbox: null })).toEqual({ mode: 'allow', addresses: [] })
  expect(findWayOut(sandboxOf({ isProduction: false }), 'ada@example.org')).toBeNull()
})

test('a redirection leads all mails to its one address', () => {
  const sandbox = { mode: 'redirect', addresses: ['team@shop.example'] } as const
  expect(findWayOut({ ...sandbox, addresses: [...sandbox.addresses] }, 'ada@example.org')).toBe('team@shop.example')
  expect(findWayOut({ mode: 'redirect', addresses: [] }, 'ada@example.org')).toBeNull()
})

test.each([
  ['ada@example.org', true],
  ['ADA@Example.org', true],
  ['bea@example.org', false],
  ['any@shop.example', true],
  ['any@SHOP.example', true],
  ['any@sub.shop.example', false],
  ['any@evilshop.example', false],
  ['shop.example@evil.example', false],
  ['any@xn--bcher-kva.example', true],
  ['any@bücher.example', true],
  ['any@team.example', true],
  ['jose\u0301@mail.example', true],
])('%s is let out: %s', (address, isOut) => {
  const addresses = ['ada@example.org', 'Shop.Example', 'bücher.example', '@team.example', 'José@mail.example']
  expect(findWayOut({ mode: 'allow', addresses }, address)).toBe(isOut ? address : null)
})
