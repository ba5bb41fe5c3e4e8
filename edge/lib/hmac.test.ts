// Tests hashes against published values.

import { expect, test } from 'vitest'
import { hmacBase64, hmacHex, isEqualInConstantTime, sha256Hex } from './hmac.ts'

test('SHA-256 is that of FIPS 180', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('HMAC-SHA256 is that of RFC 4231, case 2', () => {
  const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(hmacHex('Jefe', 'what do ya want for nothing?')).toBe(hex)
  expect(hmacBase64('Jefe', 'what do ya want for nothing?')).toBe(Buffer.from(hex, 'hex').toString('base64'))
  expect(hmacHex(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(hex)
})

test.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['', '', true],
  ['é', 'e', false],
])('%j against %j is %s', (left, right, equal) => {
  expect(isEqualInConstantTime(left, right)).toBe(equal)
})
