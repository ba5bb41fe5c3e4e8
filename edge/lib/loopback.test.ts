// Tests which hosts are this machine alone, in every spelling.

import { expect, test } from 'vitest'
import { isLoopback, isLoopbackUrl } from './loopback.ts'

test.each([
  'localhost',
  'LocalHost',
  'localhost.',
  '127.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '127.1',
  '2130706433',
  '0x7f.1',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '[0:0:0:0:0:0:0:0001]',
  '::ffff:127.0.0.1',
  '::FFFF:7f00:1',
])('%s is loopback', (host) => expect(isLoopback(host)).toBe(true))

test.each([
  '',
  '.',
  '0.0.0.0',
  '::',
  '[::]',
  '0',
  '192.168.1.5',
  '128.0.0.1',
  '10.0.0.1',
  '::2',
  '::ffff:8.8.8.8',
  '::ffff:128.0.0.1',
  '::127.0.0.1',
  'fe80::1',
  'example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  'evil.localhost',
  'localhost..',
  'localhost:3000',
  '[::1]:3000',
  'user@localhost',
  'localhost/path',
  'localhost#x',
  'local host',
  '::1%lo',
])('%j is not', (host) => expect(isLoopback(host)).toBe(false))

test('the host of an address is judged, whatever its port and path', () => {
  expect(isLoopbackUrl('http://LOCALHOST:3000/path')).toBe(true)
  expect(isLoopbackUrl('http://[::1]:3000')).toBe(true)
  expect(isLoopbackUrl('http://localhost@example.com/')).toBe(false)
})
