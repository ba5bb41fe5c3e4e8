// Tests which steps a secret can take in each state of its rotation.

import { expect, test } from 'vitest'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import { isReplaced, stepsOf } from './rotation-card.ts'

const VALUE = { id: 'sec_1', createdAt: '2026-01-01T00:00:00Z', lastUsedAt: null, retiresAt: null }
const rotation = (change: Partial<SecretRotation>): SecretRotation => ({
  kind: 'sdkSecretKey',
  state: 'single',
  until: null,
  current: VALUE,
  previous: null,
  ...change,
})

test.each([
  [{}, ['rotate', 'emergency']],
  [{ kind: 'authSecretKey' }, ['rotate', 'show', 'emergency']],
  [{ state: 'overlap', previous: VALUE }, ['retire', 'extend', 'emergency']],
  [{ kind: 'frontApiKey', state: 'overlap', previous: VALUE }, ['retire', 'extend', 'show', 'emergency']],
] as [Partial<SecretRotation>, string[]][])('%j', (change, steps) => expect(stepsOf(rotation(change))).toEqual(steps))

const HOUR = 60 * 60_000
const NOW = Date.parse('2026-01-02T00:00:00Z')
const usedAgo = (ms: number | null) => ({
  ...VALUE,
  lastUsedAt: ms === null ? null : new Date(NOW - ms).toISOString(),
})

test.each([
  ['neither was used', null, null, false],
  ['the old one alone', null, 2 * HOUR, false],
  ['the new one alone', 1000, null, true],
  ['both, the old one within the hour', 1000, HOUR, false],
  ['both, the old one long ago', 1000, HOUR + 1, true],
] as const)('the old value is replaced: %s', (_, current, previous, expected) => {
  const overlap = rotation({ state: 'overlap', current: usedAgo(current), previous: usedAgo(previous) })
  expect(isReplaced(overlap, NOW)).toBe(expected)
})
