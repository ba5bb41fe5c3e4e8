// Tests which links pass and which are dropped.

import { expect, test } from 'vitest'
import { isAppScheme, safeLink } from './link.ts'

test.each([
  'https://example.com/a?b=c#d',
  'http://localhost:3000/',
  'HTTPS://EXAMPLE.COM',
  'mailto:ann@example.com',
  'mailto:ann@example.com?subject=Hi',
  'mailto:ann@example.com,bob@example.com',
  'mailto:ann@example.com;bob@example.com?cc=cy@example.com&subject=Hi',
  'mailto:?to=ann@example.com',
  'tel:+4930123456',
  'tel:*100#',
  'sms:+4930123456?body=Hi',
  '#top',
  '#',
  '/',
  '/orders/42?tab=a#b',
  '/ünïcode/路径',
  'https://bücher.example/',
])('%s passes as it is', (link) => {
  expect(safeLink(link)).toBe(link)
})

test('outer spaces go, inner spaces are encoded', () => {
  expect(safeLink('  /search?q=a b ')).toBe('/search?q=a%20b')
})

test.each([
  '',
  ' ',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:\\\\evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/x',
  'ftp://example.com',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https://',
  'http://user:secret@example.com/',
  'https://bank.example@evil.example/',
  'https://exa mple.com',
  '/a\tb',
  '/a\u0000b',
  '/a\u202eb',
  '/\t/evil.example',
  'orders/42',
  '?a=b',
  'mailto:',
  'mailto:ann',
  'mailto:ann@example.com,bob',
  'tel:',
  'sms:',
  'shopapp://orders/1',
  'about:blank',
  'example.com',
  `https://example.com/${'a'.repeat(2048)}`,
  null,
  undefined,
  42,
  { toString: () => '/x' },
])('%j is dropped', (link) => {
  expect(safeLink(link)).toBeNull()
})

test('schemes of apps pass where they are allowed', () => {
  expect(safeLink('shopapp://orders/1', ['shopapp'])).toBe('shopapp://orders/1')
  expect(safeLink('ShopApp:orders', ['shopapp'])).toBe('ShopApp:orders')
  expect(safeLink('other:orders', ['shopapp'])).toBeNull()
  expect(safeLink('shopapp:', ['shopapp'])).toBeNull()
  expect(safeLink('anyapp://x', true)).toBe('anyapp://x')
})

test.each(['javascript', 'vbscript', 'data', 'blob', 'file', 'filesystem', 'about', 'view-source', 'ftp'])(
  'no setting allows %s:',
  (scheme) => {
    expect(isAppScheme(scheme)).toBe(false)
    expect(safeLink(`${scheme}:x`, [scheme])).toBeNull()
    expect(safeLink(`${scheme.toUpperCase()}:x`, true)).toBeNull()
    expect(safeLink(` java\tscript:x`, true)).toBeNull()
  },
)
