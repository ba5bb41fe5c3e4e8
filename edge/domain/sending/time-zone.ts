// Finds the IANA zone that a text means: its own name, a name of Windows, or an offset such as `+02:00` or `UTC+2`.

import { createCache } from '../../lib/cache.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

const OFFSET = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/i
/** Zones without summer time, by their offsets of no whole hours. */
const PART_HOURS: Readonly<Record<string, string>> = {
  '+0330': 'Asia/Tehran',
  '+0430': 'Asia/Kabul',
  '+0530': 'Asia/Kolkata',
  '+0545': 'Asia/Kathmandu',
  '+0630': 'Asia/Yangon',
  '+0845': 'Australia/Eucla',
  '+0930': 'Australia/Darwin',
  '-0930': 'Pacific/Marquesas',
}
const BY_WINDOWS_NAME = new Map(Object.entries(WINDOWS_ZONES).map(([name, zone]) => [name.toLowerCase(), zone]))

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
  if (text.toUpperCase() === 'Z') return 'UTC'
  const [, sign, hours = '', minutes = '00'] = OFFSET.exec(text) ?? []
  const zone = sign === undefined ? text : ofOffset(sign, hours.padStart(2, '0'), minutes)
  return zone !== undefined && isKnown(zone) ? zone : BY_WINDOWS_NAME.get(text.toLowerCase())
}

/** The names of `Etc` count hours to the west. */
function ofOffset(sign: string, hours: string, minutes: string): string | undefined {
  if (minutes !== '00') return PART_HOURS[sign + hours + minutes]
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }) !== undefined
  } catch {
    return false
  }
}
