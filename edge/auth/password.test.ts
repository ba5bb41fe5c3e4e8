// Tests the hashes of passwords: their form, those of earlier versions, unknown accounts, and the limit of waiting ones.

import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPasswords } from './password.ts'

const passwords = createPasswords()

test('a hash is verified by its password alone, and two hashes of one password differ', async () => {
  const [hash, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  expect(other).not.toBe(hash)
  expect(await passwords.verify('correct horse', hash)).toBe(true)
  expect(await passwords.verify('correct horsf', hash)).toBe(false)
  expect(await passwords.verify('', hash)).toBe(false)
})

test('composed and decomposed characters are the same password', async () => {
  expect(await passwords.verify('cafe\u0301 noir', await passwords.hash('caf\u00e9 noir'))).toBe(true)
})

test('a hash of an earlier version is verified', async () => {
  const salt = Buffer.from('0123456789abcdef')
  const former = `scrypt$${salt.toString('base64url')}$${scryptSync('old one', salt, 32).toString('base64url')}`
  expect(await passwords.verify('old one', former)).toBe(true)
  expect(await passwords.verify('new one', former)).toBe(false)
})

test('an unknown account takes the time of a wrong password, and no password matches', async () => {
  const hash = await passwords.hash('a password')
  const timeOf = async (stored: string | undefined) => {
    const from = process.cpuUsage()
    expect(await passwords.verify('another', stored)).toBe(false)
    const { user, system } = process.cpuUsage(from)
    return user + system
  }
  const least = { unknown: Number.POSITIVE_INFINITY, wrong: Number.POSITIVE_INFINITY }
  // Processor time, in turn, and the least of several: a busy machine only adds to it.
  for (let count = 0; count < 7; count++) {
    least.unknown = Math.min(least.unknown, await timeOf(undefined))
    least.wrong = Math.min(least.wrong, await timeOf(hash))
  }
  const ratio = least.unknown / least.wrong
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('an unreadable stored hash is an error, never a match', async () => {
  await expect(passwords.verify('x', 'md5$abc')).rejects.toThrow('stored password hash unknown')
  await expect(passwords.verify('x', 'scrypt$1$2$3$c2FsdA$')).rejects.toThrow('stored password hash unknown')
})

test('more sign-ins than may wait are refused at once', async () => {
  const flooded = createPasswords()
  const results = await Promise.allSettled(
    Array.from({ length: 55 }, () => flooded.verify('x', 'scrypt$16$1$1$c2FsdA$eA')),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(3)
  expect(refused[0]?.reason).toMatchObject({ code: 'service/unavailable' })
  expect(await flooded.verify('x', 'scrypt$16$1$1$c2FsdA$eA')).toBe(false)
})
