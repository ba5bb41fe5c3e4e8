// Tests that recovery codes are found as typed, for their person alone.

import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCode } from './recovery-code.ts'

test('a code has sixteen characters in groups, and differs each time', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  expect(new Set(codes).size).toBe(200)
})

test('upper case, spaces, and letters that look like digits are accepted', () => {
  const hash = hashRecoveryCode(7, '0123-4567-89ab-cd1f')
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(hashRecoveryCode(7, 'O123 4567 89AB CDlF')).toBe(hash)
  expect(hashRecoveryCode(8, '0123-4567-89ab-cd1f')).not.toBe(hash)
})

test.each(['', '123456', '0123-4567-89ab-cd1', '0123-4567-89ab-cd1ff', '0123-4567-89ab-cd1u'])('%j is none', (text) => {
  expect(hashRecoveryCode(7, text)).toBeUndefined()
})
