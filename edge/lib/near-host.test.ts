// Tests which hosts of requests count as near: a server without PUBLIC_URL names them to the caller.

import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { findNearOrigin, isAnywhere } from './near-host.ts'

test.each(['0.0.0.0', '::', '0', '::0', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'])('%s is everywhere', (host) => {
  expect(isAnywhere(host)).toBe(true)
})
test.each(['127.0.0.1', '::1', 'localhost', '10.0.0.1', 'a b', ''])('%s is one place', (host) => {
  expect(isAnywhere(host)).toBe(false)
})

test.each([
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['localhost', 'http://localhost'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['192.168.1.5:3000', 'http://192.168.1.5:3000'],
  ['10.1.2.3', 'http://10.1.2.3'],
  ['172.31.0.1:80', 'http://172.31.0.1'],
  ['100.100.1.1:3000', 'http://100.100.1.1:3000'],
  ['[fd00::1]:3000', 'http://[fd00::1]:3000'],
  [hostname(), `http://${hostname().toLowerCase()}`],
  [`${hostname()}.local:1`, `http://${hostname().toLowerCase()}.local:1`],
])('%s is near', (host, origin) => expect(findNearOrigin(host)).toBe(origin))

test.each([
  'evil.example',
  '8.8.8.8:3000',
  '172.32.0.1',
  '192.168.1.5.evil.example',
  'localhost.evil.example',
  'evil.example@127.0.0.1',
  '127.0.0.1/evil',
  '127.0.0.1#evil',
  '[2001:db8::1]',
  `${hostname()}.evil.example`,
  '0.0.0.0:3000',
  '',
  undefined,
])('%s is not', (host) => expect(findNearOrigin(host)).toBeUndefined())
