// Tests tokens with the published vectors, the forms of expiresAt, and invalid input.

import { expect, test } from 'vitest'
import vectors from '../../contract/vectors/tokens.json' with { type: 'json' }
import { givenClient } from './test/given.ts'

test.each(vectors.plain)('the vector of $userId', ({ key, userId, token }) => {
  expect(givenClient({ authSecretKey: key }).generateHashedToken(userId)).toBe(token)
})

test.each(vectors.expiring)('the vector of $userId until $expiresAtSeconds', (vector) => {
  const client = givenClient({ authSecretKey: vector.key })
  const expiresAt = new Date(vector.expiresAtSeconds * 1000)
  expect(client.generateHashedToken(vector.userId, { expiresAt })).toBe(vector.token)
})

test.each(vectors.refusedUserIds)('no token for $text times $repeat', ({ text, repeat }) => {
  const client = givenClient()
  expect(() => client.generateHashedToken(text.repeat(repeat))).toThrow(TypeError)
  expect(() => client.generateHashedToken(text.repeat(repeat), { expiresAt: new Date() })).toThrow(TypeError)
})

test('expiresAt is a Date, a text, seconds or milliseconds, down to the second', () => {
  const client = givenClient()
  const [, expected] = client.generateHashedToken('u', { expiresAt: 1_767_225_600 }).split('.')
  expect(expected).toBe('1767225600')
  for (const expiresAt of [new Date(1_767_225_600_999), '2026-01-01T00:00:00.5Z', 1_767_225_600.7, 1_767_225_600_123]) {
    expect(client.generateHashedToken('u', { expiresAt })).toBe(
      client.generateHashedToken('u', { expiresAt: 1_767_225_600 }),
    )
  }
})

test.each([Number.NaN, Infinity, -1, new Date('never'), 'tomorrow', null, {}])('%s is no time', (expiresAt) => {
  const client = givenClient()
  expect(() => client.generateHashedToken('u', { expiresAt: expiresAt as Date })).toThrow('expiresAt')
})

test('a whole number is taken as its digits', () => {
  const client = givenClient()
  expect(client.generateHashedToken(42)).toBe(client.generateHashedToken('42'))
  expect(client.generateHashedToken(9007199254740993n)).toBe(client.generateHashedToken('9007199254740993'))
})

test.each([undefined, null, 1.5, 2 ** 53, ['u'], { id: 'u' }])('%s is no user id', (userId) => {
  expect(() => givenClient().generateHashedToken(userId as never)).toThrow('userId')
})

test('half a surrogate pair is no user id: its bytes are not defined', () => {
  expect(() => givenClient().generateHashedToken('a\ud800')).toThrow('surrogate')
})
