// Tests local times without an offset, in the zone that their reader states.

import { expect, test } from 'vitest'
import { findInstant } from '../../../contract/instant.ts'
import { readLocalIn } from './wall-clock.ts'

test.each<[string, string, string]>([
  ['2026-07-01T12:00:30.5', 'Europe/Berlin', '2026-07-01T10:00:30.500Z'],
  ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
  ['1969-12-31T23:59:59', 'Asia/Kolkata', '1969-12-31T18:29:59.000Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-07-01T12:00Z', 'Europe/Berlin', '2026-07-01T12:00:00.000Z'],
])('%s in %s', (text, zone, iso) => {
  expect(findInstant(text, readLocalIn(zone))).toBe(Date.parse(iso))
})

test('a zone that nobody knows states nothing', () => {
  expect(findInstant('2026-07-01T12:00', readLocalIn('Nowhere/City'))).toBeUndefined()
})
