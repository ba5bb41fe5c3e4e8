// Tests one-time codes with the vectors of RFC 6238, cut to six digits, and the addresses for authenticator apps.

import { expect, test } from 'vitest'
import { createTotpCodes } from './totp.ts'

const codes = createTotpCodes({ issuer: 'Notification center' })
/** The secret of the RFC, "12345678901234567890", as base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
])('at second %d the code %s is of step %d, and of no other step', (second, code, step) => {
  const at = second * 1000
  expect(codes.findStep(SECRET, code, at)).toBe(step)
  expect(codes.findStep(SECRET, code, at + 30_000)).toBe(step)
  expect(codes.findStep(SECRET, code, at - 30_000)).toBe(step)
  expect(codes.findStep(SECRET, code, at + 60_000)).toBeUndefined()
  expect(codes.findStep(SECRET, code, at - 60_000)).toBeUndefined()
})

test.each(['', '28708', '2870820', '28708x', '287083'])('%j is no code', (code) => {
  expect(codes.findStep(SECRET, code, 59_000)).toBeUndefined()
})

test('a new secret has 160 bits and an address with issuer and account', () => {
  const { secret, url } = codes.newSecret('ada@example.com')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(codes.newSecret('ada@example.com').secret).not.toBe(secret)
  const address = new URL(url)
  expect(decodeURIComponent(address.pathname)).toContain('Notification center:ada@example.com')
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    issuer: 'Notification center',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
