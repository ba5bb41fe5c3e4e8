// Tests which address counts as the client's, for any `X-Forwarded-For` header.

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { HttpContext } from '../kernel/context.ts'
import { clientAddress, networkOf } from './rate-limits.ts'

function addressOf(proxies: number, forwarded: string | undefined): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const incoming = { socket: { remoteAddress: '192.0.2.1' }, headers } as IncomingMessage
  return clientAddress({ env: { incoming } } as HttpContext, proxies)
}

test.each<[number, string | undefined, string]>([
  [0, '9.9.9.9', '192.0.2.1'],
  [1, undefined, '192.0.2.1'],
  [1, '9.9.9.9', '9.9.9.9'],
  [1, '6.6.6.6, 9.9.9.9', '9.9.9.9'],
  [1, '6.6.6.6,,, 9.9.9.9', '9.9.9.9'],
  [2, '6.6.6.6, 9.9.9.9, 10.0.0.1', '9.9.9.9'],
  [2, '9.9.9.9', '9.9.9.9'],
  [1, '2001:db8::1', '2001:db8::1'],
  [1, '[2001:db8::1]:443', '2001:db8::1'],
  [1, '9.9.9.9:51234', '9.9.9.9'],
  [1, '::ffff:9.9.9.9', '::ffff:9.9.9.9'],
])('behind %i proxies, %s is %s', (proxies, forwarded, address) => {
  expect(addressOf(proxies, forwarded)).toBe(address)
})

test.each([
  '',
  ',',
  'unknown',
  '_hidden',
  '9.9.9.9.9',
  '999.1.1.1',
  '0x7f.1',
  '9.9.9.9, ',
  "1'; DROP TABLE environment",
  'a'.repeat(15_000),
  ','.repeat(15_000),
])('an invalid entry is ignored, and the address of the connection is used (%#)', (forwarded) => {
  expect(addressOf(1, forwarded)).toBe('192.0.2.1')
})

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '::ffff:c000:201', true],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:DB8:1:2::1', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['fe80::1%eth0', 'fe80::2%eth1', true],
])('%s and %s count as one caller: %s', (one, two, same) => {
  expect(networkOf(one) === networkOf(two)).toBe(same)
})
