// Tests backend tokens: the published vectors, both forms, overlaps of secrets, and malformed tokens.

import { describe, expect, test } from 'vitest'
import vectors from '../../contract/vectors/tokens.json' with { type: 'json' }
import { expiringToken, findSigningKey, plainToken } from './backend-token.ts'

const NOW = 1_767_225_600_000
const SECRETS = [
  { value: 'new', hash: 'h-new' },
  { value: 'old', hash: 'h-old' },
]

function find(token: string, change: Partial<Parameters<typeof findSigningKey>[0]> = {}) {
  return findSigningKey({ token, userId: 'u', secrets: SECRETS, requireExpiring: false, now: NOW, ...change })
}

describe('the vectors', () => {
  test.each(vectors.plain)('$userId under $key', ({ key, userId, token }) => {
    expect(plainToken(key, userId)).toBe(token)
    expect(find(token, { userId, secrets: [{ value: key, hash: 'h' }] })).toBe('h')
  })

  test.each(vectors.expiring)('$userId under $key until $expiresAtSeconds', (vector) => {
    const { key, userId, expiresAtSeconds, token } = vector
    const secrets = [{ value: key, hash: 'h' }]
    expect(expiringToken(key, userId, expiresAtSeconds)).toBe(token)
    expect(find(token, { userId, secrets, now: expiresAtSeconds * 1000 - 1 })).toBe('h')
    expect(find(token, { userId, secrets, now: expiresAtSeconds * 1000 })).toBeUndefined()
  })
})

test('any secret of an overlap verifies a token, and its hash is returned', () => {
  expect(find(plainToken('new', 'u'))).toBe('h-new')
  expect(find(plainToken('old', 'u'))).toBe('h-old')
  expect(find(expiringToken('old', 'u', NOW / 1000 + 1))).toBe('h-old')
  expect(find(plainToken('retired', 'u'))).toBeUndefined()
  expect(find(plainToken('new', 'u'), { secrets: [] })).toBeUndefined()
})

test('an environment can accept the expiring form only', () => {
  expect(find(plainToken('new', 'u'), { requireExpiring: true })).toBeUndefined()
  expect(find(expiringToken('new', 'u', NOW / 1000 + 1), { requireExpiring: true })).toBe('h-new')
})

const plain = plainToken('new', 'u')
const expiring = expiringToken('new', 'u', NOW / 1000 + 60)
test.each([
  '',
  'u',
  plain.toUpperCase(),
  ` ${plain}`,
  `${plain}\n`,
  plain.slice(0, -1),
  `${plain}0`,
  plainToken('new', 'v'),
  expiring.toUpperCase(),
  expiring.replace('v2.', 'v1.'),
  expiring.replace('.', '.0'),
  expiring.replace(/\.\d+\./, `.${NOW / 1000 + 61}.`),
  expiring.replace(/\.\d+\./, '..'),
  expiring.replace(/\.\d+\./, '.1e9.'),
  `v2.${NOW / 1000 + 60}.${plain}`,
  `v2.${'9'.repeat(400)}.${plain}`,
])('%j is refused', (token) => {
  expect(find(token)).toBeUndefined()
})

test('a plain token of the text that an expiring token signs does not verify as an expiring one', () => {
  const userId = `v2\n${NOW / 1000 + 60}\nu`
  expect(find(plainToken('new', userId))).toBeUndefined()
})
