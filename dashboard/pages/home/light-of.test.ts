// Tests the lights of the home: which state is good, which needs somebody, and which is wrong.

import { expect, test } from 'vitest'
import { lightOfIntegration, lightOfSecret, lightOfSource } from './light-of.ts'

const NOW = Date.UTC(2026, 10, 30)
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString()
const source = { status: 'active', lastReceivedAt: null, lastErrorAt: null, lastError: null } as const

test.each([
  [source, 'not connected yet', 'quiet'],
  [{ ...source, lastReceivedAt: ago(1) }, 'receiving', 'good'],
  [{ ...source, lastReceivedAt: ago(24 * 8) }, 'silent', 'warn'],
  [{ ...source, lastReceivedAt: ago(2), lastErrorAt: ago(1), lastError: 'bad signature' }, 'failing', 'bad'],
  [{ ...source, lastReceivedAt: ago(1), lastErrorAt: ago(2), lastError: 'bad signature' }, 'receiving', 'good'],
  [{ ...source, status: 'paused', lastErrorAt: ago(1) }, 'paused', 'warn'],
] as const)('a source %o is %s', (given, state, tone) => {
  expect(lightOfSource(given, NOW)).toMatchObject({ state, tone })
})

test.each([
  [null, null, 'not used yet', 'quiet'],
  [ago(1), ago(2), 'sending', 'good'],
  [ago(2), ago(1), 'failing', 'bad'],
] as const)('a mail account with a mail at %s and a fault at %s is %s', (lastSentAt, lastErrorAt, state, tone) => {
  const given = { state: { lastSentAt, lastErrorAt, lastError: 'refused', lastWebhookAt: null } }
  expect(lightOfIntegration(given, NOW)).toMatchObject({ state, tone })
})

test('a secret in an overlap warns, and more so while the old value is used', () => {
  const previous = { id: 's', createdAt: ago(99), lastUsedAt: ago(2), retiresAt: ago(-5) }
  expect(lightOfSecret({ until: null, previous }, NOW)).toBeUndefined()
  expect(lightOfSecret({ until: ago(-5), previous }, NOW)).toMatchObject({ tone: 'warn' })
  expect(lightOfSecret({ until: ago(-5), previous: { ...previous, lastUsedAt: ago(0.5) } }, NOW)).toMatchObject({
    tone: 'bad',
    note: expect.stringContaining('still used'),
  })
})
