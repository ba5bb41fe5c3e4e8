// Tests quiet hours in several time zones, including the days on which the clock changes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findQuietEnd, isTimeZone, zoneOf } from './quiet-hours.ts'

const NIGHT = { start: '22:00', end: '07:00', timeZone: null }
const at = (iso: string) => Date.parse(iso)

/** Returns the end as ISO text, or null. */
function endOf(start: string, end: string, zone: string | null, instant: string): string | null {
  const found = findQuietEnd({ start, end, timeZone: zone }, null, at(instant))
  return found === null ? null : new Date(found).toISOString()
}

describe('quiet hours', () => {
  test.each([
    // A normal night, in zones west, east, and with half and quarter hours.
    ['22:00', '07:00', 'UTC', '2026-05-01T21:59:59.999Z', null],
    ['22:00', '07:00', 'UTC', '2026-05-01T22:00:00.000Z', '2026-05-02T07:00:00.000Z'],
    ['22:00', '07:00', 'UTC', '2026-05-02T06:59:59.999Z', '2026-05-02T07:00:00.000Z'],
    ['22:00', '07:00', 'UTC', '2026-05-02T07:00:00.000Z', null],
    ['22:00', '07:00', 'America/New_York', '2026-05-02T02:00:00.000Z', '2026-05-02T11:00:00.000Z'],
    ['22:00', '07:00', 'Asia/Kolkata', '2026-05-01T16:30:00.000Z', '2026-05-02T01:30:00.000Z'],
    ['22:00', '07:00', 'Asia/Kathmandu', '2026-05-01T16:14:00.000Z', null],
    ['22:00', '07:00', 'Asia/Kathmandu', '2026-05-01T16:15:00.000Z', '2026-05-02T01:15:00.000Z'],
    ['22:00', '07:00', 'Pacific/Kiritimati', '2026-05-01T08:00:00.000Z', '2026-05-01T17:00:00.000Z'],
    // Within a day.
    ['12:00', '13:30', 'Europe/Berlin', '2026-05-01T10:00:00.000Z', '2026-05-01T11:30:00.000Z'],
    ['12:00', '13:30', 'Europe/Berlin', '2026-05-01T11:30:00.000Z', null],
    // The whole day but a minute; up to midnight; from midnight.
    ['00:00', '23:59', 'UTC', '2026-05-01T00:00:00.000Z', '2026-05-01T23:59:00.000Z'],
    ['22:00', '00:00', 'UTC', '2026-05-01T23:59:00.000Z', '2026-05-02T00:00:00.000Z'],
    ['22:00', '00:00', 'UTC', '2026-05-02T00:00:00.000Z', null],
    ['00:00', '06:00', 'UTC', '2026-05-01T05:00:00.000Z', '2026-05-01T06:00:00.000Z'],
  ])('%s to %s in %s at %s ends %s', (start, end, zone, instant, wanted) => {
    expect(endOf(start, end, zone, instant)).toBe(wanted)
  })

  test.each([
    // Berlin, 29 March 2026: 02:00 becomes 03:00 at 01:00Z. The night is an hour shorter.
    ['22:00', '07:00', 'Europe/Berlin', '2026-03-28T21:00:00.000Z', '2026-03-29T05:00:00.000Z'],
    // An end in the skipped hour is the moment of the change.
    ['22:00', '02:30', 'Europe/Berlin', '2026-03-29T00:59:59.000Z', '2026-03-29T01:00:00.000Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', null],
    // A start in the skipped hour, and quiet hours that are skipped as a whole, which are none.
    ['02:30', '05:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000Z'],
    ['02:10', '02:50', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', null],
    // New York, 8 March 2026; Lord Howe, 4 October 2026, by half an hour.
    ['01:00', '02:15', 'America/New_York', '2026-03-08T06:30:00.000Z', '2026-03-08T07:00:00.000Z'],
    ['01:00', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:00:00.000Z', '2026-10-03T15:30:00.000Z'],
    // Santiago, 6 September 2026: midnight itself is skipped.
    ['00:00', '06:00', 'America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-06T09:00:00.000Z'],
    ['22:00', '00:00', 'America/Santiago', '2026-09-06T03:59:00.000Z', '2026-09-06T04:00:00.000Z'],
  ])('a gap of the clock: %s to %s in %s at %s ends %s', (start, end, zone, instant, wanted) => {
    expect(endOf(start, end, zone, instant)).toBe(wanted)
  })

  test.each([
    // Berlin, 25 October 2026: 03:00 becomes 02:00 at 01:00Z. The night is an hour longer.
    ['22:00', '07:00', 'Europe/Berlin', '2026-10-24T20:00:00.000Z', '2026-10-25T06:00:00.000Z'],
    // A repeated end is the second one: the night is not split.
    ['22:00', '02:30', 'Europe/Berlin', '2026-10-25T00:29:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-10-25T00:45:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-10-25T01:29:59.999Z', '2026-10-25T01:30:00.000Z'],
    ['22:00', '02:30', 'Europe/Berlin', '2026-10-25T01:30:00.000Z', null],
    // A repeated start is the first one.
    ['02:30', '05:00', 'Europe/Berlin', '2026-10-25T00:29:59.999Z', null],
    ['02:30', '05:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T04:00:00.000Z'],
    ['02:30', '05:00', 'Europe/Berlin', '2026-10-25T01:00:00.000Z', '2026-10-25T04:00:00.000Z'],
    // New York, 1 November 2026.
    ['01:00', '01:45', 'America/New_York', '2026-11-01T05:50:00.000Z', '2026-11-01T06:45:00.000Z'],
    // Santiago, 5 April 2026 (24:00 of the 4th): 23:00 comes twice, and the date turns back.
    ['23:30', '06:00', 'America/Santiago', '2026-04-05T02:30:00.000Z', '2026-04-05T10:00:00.000Z'],
    ['23:30', '06:00', 'America/Santiago', '2026-04-05T03:10:00.000Z', '2026-04-05T10:00:00.000Z'],
  ])('an overlap of the clock: %s to %s in %s at %s ends %s', (start, end, zone, instant, wanted) => {
    expect(endOf(start, end, zone, instant)).toBe(wanted)
  })

  test('a day that a zone skipped does not change the next one', () => {
    // Samoa went from 29 to 31 December 2011.
    expect(endOf('22:00', '07:00', 'Pacific/Apia', '2011-12-30T09:00:00.000Z')).toBe('2011-12-30T17:00:00.000Z')
    expect(endOf('22:00', '07:00', 'Pacific/Apia', '2011-12-30T18:00:00.000Z')).toBe(null)
  })

  test('the zone is that of the hours, else of the user, else UTC; an unknown zone counts as none', () => {
    expect(zoneOf({ timeZone: 'Asia/Tokyo' }, 'Europe/Berlin')).toBe('Asia/Tokyo')
    expect(zoneOf({ timeZone: null }, 'Europe/Berlin')).toBe('Europe/Berlin')
    expect(zoneOf({ timeZone: null }, null)).toBe('UTC')
    expect(zoneOf({ timeZone: null }, 'Berlin, I think')).toBe('UTC')
    expect(isTimeZone('Europe/Berlin')).toBe(true)
    expect(isTimeZone('')).toBe(false)
    const utc = at('2026-05-01T23:00:00.000Z')
    expect(findQuietEnd(NIGHT, 'Asia/Tokyo', utc)).toBe(null)
    expect(findQuietEnd(NIGHT, null, utc)).toBe(at('2026-05-02T07:00:00.000Z'))
  })

  test('quiet hours that begin also end, none contain their end, and each instant of a year is in at most one', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Santiago',
      'Africa/Casablanca',
    ]
    const minute = fc.integer({ min: 0, max: 1439 })
    const text = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    const instant = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') })
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, minute, instant, (timeZone, start, end, moment) => {
        fc.pre(start !== end)
        const hours = { start: text(start), end: text(end), timeZone }
        const until = findQuietEnd(hours, null, moment)
        if (until === null) return
        expect(until).toBeGreaterThan(moment)
        expect(until - moment).toBeLessThanOrEqual(25 * 3_600_000)
        expect(findQuietEnd(hours, null, until - 1)).toBe(until)
        expect(findQuietEnd(hours, null, until)).toBe(null)
      }),
      { numRuns: 500, seed: 7 },
    )
  })
})
