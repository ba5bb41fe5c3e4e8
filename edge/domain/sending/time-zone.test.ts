// Tests the zones that texts mean: names of IANA and Windows, offsets, and texts that mean none.

import { expect, test } from 'vitest'
import { isTimeZone, zoneOf } from './quiet-hours.ts'
import { findTimeZone } from './time-zone.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'
import { ABBREVIATED_ZONES, RAILS_ZONES, SHOWN_ZONES } from './zone-names.ts'

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['w. europe standard time', 'Europe/Berlin'],
  ['Eastern Standard Time', 'America/New_York'],
  ['Tokyo Standard Time', 'Asia/Tokyo'],
  ['+02:00', 'Etc/GMT-2'],
  ['UTC+2', 'Etc/GMT-2'],
  ['GMT-0500', 'Etc/GMT+5'],
  ['utc +14', 'Etc/GMT-14'],
  ['+05:30', 'Asia/Kolkata'],
  ['UTC+5:45', 'Asia/Kathmandu'],
  ['-00:00', 'UTC'],
  ['z', 'UTC'],
  ['UTC', 'UTC'],
  [' Europe/Berlin\n', 'Europe/Berlin'],
  ['America/New York', 'America/New_York'],
  ['Eastern Daylight Time', 'America/New_York'],
  ['Eastern Time (US & Canada)', 'America/New_York'],
  ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
  ['GMT Summer Time', 'Europe/London'],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Amsterdam'],
  ['\u221205:00', 'Etc/GMT+5'],
  ['New Delhi', 'Asia/Kolkata'],
  ['buenos aires', 'America/Buenos_Aires'],
  ['Berlin', 'Europe/Berlin'],
  ['BST', 'Europe/London'],
  ['CEST', 'Europe/Paris'],
  ['pdt', 'America/Los_Angeles'],
  ['-03:30', 'America/St_Johns'],
  ['+12:45', 'Pacific/Chatham'],
  ['+1345', 'Pacific/Chatham'],
  ['UTC±0', 'UTC'],
  ['±00:00', 'UTC'],
  ['Central European Time', 'Europe/Paris'],
  ['Central European Summer Time', 'Europe/Warsaw'],
  ['British Summer Time', 'Europe/London'],
  ['Greenwich Mean Time', 'Europe/London'],
  ['Coordinated Universal Time', 'UTC'],
  ['Pacific Time', 'America/Los_Angeles'],
  ['Japan Standard Time', 'Asia/Tokyo'],
  ['Australian Eastern Daylight Time', 'Australia/Sydney'],
  ['GMT+0100 (Central European Standard Time)', 'Europe/Warsaw'],
  ['GMT+0200 (CEST)', 'Europe/Paris'],
  ['GMT+0200 (Mitteleuropäische Sommerzeit)', 'Etc/GMT-2'],
  ['Europe/Berlin (CEST)', 'Europe/Berlin'],
])('%s is %s', (text, zone) => {
  expect(findTimeZone(text)).toBe(zone)
  expect(isTimeZone(text)).toBe(true)
  expect(zoneOf({ timeZone: null }, text)).toBe(zone)
})

test.each([
  '',
  'Berlin Time',
  'Summer Time',
  '(UTC)',
  '(UTC+01:00)',
  'America/',
  'Foo/London',
  '+15:00',
  '-13',
  '+05:17',
  'UTC+',
  '2',
  'constructor',
  '__proto__',
  'GMT+2:',
])('%j is none', (text) => {
  expect(findTimeZone(text)).toBeUndefined()
  expect(zoneOf({ timeZone: null }, text)).toBe('UTC')
})

test('the zone of each name is known', () => {
  for (const names of [WINDOWS_ZONES, RAILS_ZONES, SHOWN_ZONES, ABBREVIATED_ZONES]) {
    for (const zone of Object.values(names)) expect(findTimeZone(zone)).toBe(zone)
  }
  expect(Object.keys(WINDOWS_ZONES).length).toBeGreaterThan(130)
})
