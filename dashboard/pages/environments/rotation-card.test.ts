// Tests which steps a secret can take in each state of its rotation.

import { expect, test } from 'vitest'
import type { Rotation } from '../../api/tenant.ts'
import { stepsOf } from './rotation-card.ts'

const VALUE = { id: 'sec_1', createdAt: '2026-01-01T00:00:00Z', lastUsedAt: null, retiresAt: null }
const rotation = (change: Partial<Rotation>): Rotation => ({
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
] as [Partial<Rotation>, string[]][])('%j', (change, steps) => expect(stepsOf(rotation(change))).toEqual(steps))
