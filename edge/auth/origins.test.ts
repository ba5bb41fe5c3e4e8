// Tests which origins match an allow-list.

import { expect, test } from 'vitest'
import { isOriginAllowed } from './origins.ts'

test.each<[string[], string, boolean]>([
  [[], 'https://any.example', true],
  [[], 'http://localhost:5173', true],
  [[], 'capacitor://localhost', true],
  [[], 'null', false],
  [[], '', false],
  [[], '*', false],
  [[], 'example.com', false],
  [[], 'https://a.example/path', false],
  [[], 'https://a.example https://b.example', false],
  [['null'], 'null', false],
  [['https://shop.example'], 'https://shop.example', true],
  [['https://shop.example/'], 'https://shop.example', true],
  [['https://Shop.example'], 'https://shop.example', true],
  [['https://shop.example:443'], 'https://shop.example', true],
  [['https://shop.example'], 'http://shop.example', false],
  [['https://shop.example'], 'https://shop.example:8443', false],
  [['https://shop.example'], 'https://shop.example.evil.test', false],
  [['https://shop.example'], 'https://evil-shop.example', false],
  [['https://shop.example'], 'https://user@shop.example', false],
  [['https://*.shop.example'], 'https://a.shop.example', true],
  [['https://*.shop.example'], 'https://a.b.shop.example', true],
  [['https://*.shop.example'], 'https://shop.example', false],
  [['https://*.shop.example'], 'http://a.shop.example', false],
  [['https://*.shop.example'], 'https://evilshop.example', false],
  [['https://*.shop.example'], 'https://a.shop.example:8443', false],
  [['https://*.shop.example'], 'https://a.shop.example.evil.test', false],
  [['*.shop.example'], 'https://a.shop.example', true],
  [['*.shop.example'], 'http://a.shop.example', true],
  [['http://*.shop.example:3000'], 'http://a.shop.example:3000', true],
  [['https://a.*.example'], 'https://a.b.example', false],
  [['*'], 'https://a.example', false],
  [['https://*'], 'https://a.example', false],
  [['https://x.example', 'https://y.example'], 'https://y.example', true],
  [['https://münchen.example'], 'https://xn--mnchen-3ya.example', true],
  [['https://MÜNCHEN.example:8443/'], 'https://xn--mnchen-3ya.example:8443', true],
  [['https://*.münchen.example'], 'https://shop.xn--mnchen-3ya.example', true],
  [['*.münchen.example'], 'http://shop.xn--mnchen-3ya.example', true],
  [['https://*.münchen.example'], 'https://xn--mnchen-3ya.example', false],
  [['https://münchen.example'], 'https://munchen.example', false],
])('%j and %s: %s', (allowed, origin, expected) => {
  expect(isOriginAllowed(allowed, origin)).toBe(expected)
})
