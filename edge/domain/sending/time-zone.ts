// Finds the IANA zone that a text means: its own name or city, a name of Windows, Rails or CLDR, an abbreviation, or an offset such
// as `+02:00` or `UTC+2`.

import { createCache } from '../../lib/cache.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'
import { ABBREVIATED_ZONES, RAILS_ZONES, SHOWN_ZONES } from './zone-names.ts'

const OFFSET = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/i
/** Zones by their offsets of no whole hours: one without summer time, or where most people live whose clocks show it. */
const PART_HOURS: Readonly<Record<string, string>> = {
  '-0230': 'America/St_Johns',
  '-0330': 'America/St_Johns',
  '+0330': 'Asia/Tehran',
  '+0430': 'Asia/Kabul',
  '+0530': 'Asia/Kolkata',
  '+0545': 'Asia/Kathmandu',
  '+0630': 'Asia/Yangon',
  '+0845': 'Australia/Eucla',
  '+0930': 'Australia/Darwin',
  '+1030': 'Australia/Adelaide',
  '+1245': 'Pacific/Chatham',
  '+1345': 'Pacific/Chatham',
  '-0930': 'Pacific/Marquesas',
}
/** Windows shows its names with their offset: `(UTC+01:00) Amsterdam, Berlin`. */
const SHOWN_OFFSET = /^\((?:UTC|GMT)[^)]*\) */i
const EXPLAINED = /^([^()]+?) *\(([^()]+)\)$/
const SUMMER = / (?:daylight|summer)( time)$/
const SEASON = / (?:standard|daylight|summer)( time)$/

const byLowerName = (...tables: Readonly<Record<string, string>>[]) =>
  new Map(tables.flatMap((table) => Object.entries(table)).map(([name, zone]) => [name.toLowerCase(), zone]))
const BY_NAME = byLowerName(WINDOWS_ZONES, RAILS_ZONES)
const BY_SHOWN = byLowerName(SHOWN_ZONES)
const BY_ABBREVIATION = new Map(Object.entries(ABBREVIATED_ZONES))
const BY_CITY = new Map(Intl.supportedValuesOf('timeZone').map((zone) => [cityOf(zone), zone]))

/** Bounded, as the texts come from customers. */
const found = createCache<string, { zone: string | undefined }>({ maxSize: 1000 })

/** @returns A name that `Intl` knows; undefined when the text means no zone. */
export function findTimeZone(text: string): string | undefined {
  let known = found.get(text)
  if (known === undefined) {
    known = { zone: search(text) }
    found.set(text, known)
  }
  return known.zone
}

function search(text: string): string | undefined {
  // Programs write signs of typography, too.
  const shown = text.trim().replace('\u2212', '-').replace('±', '+')
  const name = shown.replace(SHOWN_OFFSET, '')
  if (name.toUpperCase() === 'Z') return 'UTC'
  const [, sign, hours = '', minutes = '00'] = OFFSET.exec(name) ?? []
  if (sign !== undefined) return findKnown(ofOffset(sign, hours.padStart(2, '0'), minutes))
  const lower = name.toLowerCase()
  return (
    BY_ABBREVIATION.get(name.toUpperCase()) ??
    findKnown(name.replaceAll(' ', '_')) ??
    BY_NAME.get(lower) ??
    BY_NAME.get(lower.replace(SUMMER, ' standard$1')) ??
    BY_SHOWN.get(lower.replace(SEASON, '$1')) ??
    BY_CITY.get(lower) ??
    // Behind the offset, Windows lists cities of the zone.
    (name === shown ? undefined : BY_CITY.get(lower.split(', ')[0] ?? '')) ??
    findExplained(shown)
  )
}

/** Browsers print a zone with its name behind: `GMT+0100 (Central European Standard Time)`. A name says more than an offset. */
function findExplained(shown: string): string | undefined {
  const [, zone = '', name = ''] = EXPLAINED.exec(shown) ?? []
  if (zone === '') return undefined
  return OFFSET.test(zone) ? (search(name) ?? search(zone)) : (search(zone) ?? search(name))
}

/** @returns The last part of a zone's name: `new york` of `America/New_York`. */
function cityOf(zone: string): string {
  return zone
    .slice(zone.lastIndexOf('/') + 1)
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** The names of `Etc` count hours to the west. */
function ofOffset(sign: string, hours: string, minutes: string): string | undefined {
  if (minutes !== '00') return PART_HOURS[sign + hours + minutes]
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`
}

function findKnown(timeZone: string | undefined): string | undefined {
  try {
    if (timeZone !== undefined) new Intl.DateTimeFormat('en-US', { timeZone })
    return timeZone
  } catch {
    return undefined
  }
}
