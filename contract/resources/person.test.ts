// Tests the addresses and passwords that people may have.

import { expect, test } from 'vitest'
import { newEmail, newPassword } from './person.ts'

const faultsOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => message)

test('an address is stored in one form', () => {
  expect(newEmail.parse(' Ada@Example.COM ')).toBe('ada@example.com')
})

test.each(['not an address', 'ada@localhost', 'Ada <ada@example.com>', `${'a'.repeat(65)}@example.com`])(
  '%s is no address, which is said once',
  (text) => {
    expect(faultsOf(newEmail.safeParse(text))).toEqual(['This is no e-mail address.'])
  },
)

test('an address that is too long is not read any further', () => {
  expect(faultsOf(newEmail.safeParse(' '.repeat(321)))).toHaveLength(1)
})

test.each([
  ['🦊'.repeat(9), false],
  ['🦊'.repeat(10), true],
  ['🦊'.repeat(256), true],
  ['x'.repeat(257), false],
])('a password has 10 to 256 characters, however they are stored: %s', (password, isRight) => {
  expect(newPassword.safeParse(password).success).toBe(isRight)
})
