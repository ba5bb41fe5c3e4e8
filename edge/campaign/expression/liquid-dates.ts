// Prints dates in Liquid: with signs that the engine lacks, in known zones only, and charged by what a format costs.

import type { Liquid } from 'liquidjs'
import { isTimeZone } from '../../domain/sending/quiet-hours.ts'
import { findTimeZone } from '../../domain/sending/time-zone.ts'
import { readLocalIn } from '../../domain/sending/wall-clock.ts'
import { findInstant } from '../../lib/instant.ts'
import { charge, chargeText } from './budget.ts'
import { chargeAsText } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>

/** Maps signs of Liquid's `date` that this engine does not support to supported ones. */
const SIGNS: Record<string, string> = {
  '%F': '%Y-%m-%d',
  '%T': '%H:%M:%S',
  '%R': '%H:%M',
  '%D': '%m/%d/%y',
  '%r': '%I:%M:%S %p',
}

/** In units. Names of days, months and zones are made by a new formatter of `Intl` each: 60 µs. */
const COSTS = { date: 150, zone: 2000, name: 600, sign: 15 }
const SIGN = /%[-_0^#:]*(\d*)[EO]?([\s\S]?)/g
const CHARS_PER_UNIT = 4
const NAMES = /[aAbBhZ]/
const DEFAULT_NAMES = 2
/** In characters. Longer than all names of zones. */
const MAX_ZONE_CHARS = 64
const UNIX_TIME = /^-?\d+(?:\.\d+)?$/
const MINUTE_MS = 60_000

/** Charges for a format; a width of 9,999,999 would be a text of that length. */
function chargeFormat(format: string): void {
  let chars = format.length
  charge(chars / CHARS_PER_UNIT)
  for (const [, width, sign] of format.matchAll(SIGN)) {
    charge(NAMES.test(sign as string) ? COSTS.name : COSTS.sign)
    chars += Number(width)
    if (chars > format.length) chargeText(chars)
  }
}

/**
 * Returns the filter `date` of this service. An invalid zone counts as missing, as in quiet hours: it is often the
 * user's unchecked zone, and must not prevent a message.
 */
export function createDateFilter(date: Filter): Filter {
  return function (value: unknown, format: unknown, zone: unknown) {
    const known = typeof format === 'string' ? format.replace(/%[%\w]/g, (sign) => SIGNS[sign] ?? sign) : format
    chargeAsText(value)
    charge(COSTS.date)
    if (typeof known === 'string') chargeFormat(known)
    else charge(COSTS.name * DEFAULT_NAMES + chargeAsText(known))
    const stated = typeof zone === 'string' ? findZone(zone) : Number.isFinite(zone) ? (zone as number) : undefined
    return date.call(this, toDate(value, stated ?? 'UTC'), known, stated)
  }
}

/** Reads a time as the API does; one without an offset in the zone that it is printed in. Other words are left to Liquid. */
function toDate(value: unknown, zone: string | number): unknown {
  const given = typeof value === 'string' && UNIX_TIME.test(value) ? Number(value) : value
  // Liquid takes the minutes of an offset as a zone, positive in the west.
  const readLocal = typeof zone === 'string' ? readLocalIn(zone) : (shown: number) => shown + zone * MINUTE_MS
  const at = findInstant(given, readLocal)
  return at === undefined ? value : new Date(at)
}

function findZone(zone: string): string | undefined {
  charge(COSTS.zone)
  return zone.length <= MAX_ZONE_CHARS && isTimeZone(zone) ? findTimeZone(zone) : undefined
}

/** Returns another filter of dates with its charge; their formats are fixed and have at most two names. */
export function meterDateFilter(filter: Filter): Filter {
  return function (value: unknown, ...args: unknown[]) {
    chargeAsText(value)
    for (const arg of args) chargeAsText(arg)
    charge(COSTS.date + COSTS.name * DEFAULT_NAMES)
    return filter.call(this, toDate(value, 'UTC'), ...args)
  }
}
