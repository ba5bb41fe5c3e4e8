// Prints dates in Liquid: with signs that the engine lacks, in known zones only, by formatters that are kept.

import { type Context, type Liquid, toValue } from 'liquidjs'
import { findTimeZone } from '../../domain/sending/time-zone.ts'
import { readLocalIn, wallClockOf } from '../../domain/sending/wall-clock.ts'
import { createCache } from '../../lib/cache.ts'
import { systemClock } from '../../lib/clock.ts'
import { findInstant } from '../../lib/instant.ts'
import { charge, chargeText } from './budget.ts'
import { textOf } from './liquid-texts.ts'
import { chargeAsText } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>
type FilterThis = ThisParameterType<Filter>

/** Maps signs of Liquid's `date` that this engine does not support to supported ones. */
const SIGNS: Record<string, string> = {
  '%F': '%Y-%m-%d',
  '%T': '%H:%M:%S',
  '%R': '%H:%M',
  '%D': '%m/%d/%y',
  '%r': '%I:%M:%S %p',
}

/**
 * In units. Reading a date takes 0.8 µs, a name of a day or month 0.8 µs, a time in a zone 6 µs. The formatter of a zone or
 * name takes 40 to 100 µs to make, which the first use in a template pays, whether it was kept or not.
 */
const COSTS = { date: 30, zone: 100, name: 20, sign: 12, formatter: 2500 }
const CHARS_PER_UNIT = 4
/** JavaScript reads a date in up to 5 ns a character. */
const DATE_CHARS_PER_UNIT = 4
/** In characters. Longer than all names of zones. */
const MAX_ZONE_CHARS = 64

const SIGN = /%([-_0^#:]*)(\d*)[EO]?(.)/g
/** The fields of `Intl` that print a sign. */
const NAMES: Record<string, Intl.DateTimeFormatOptions> = {
  a: { weekday: 'short' },
  A: { weekday: 'long' },
  b: { month: 'short' },
  h: { month: 'short' },
  B: { month: 'long' },
}

/** By locale and fields, both of which are few. */
const formatters = createCache<string, Intl.DateTimeFormat>({ maxSize: 200 })

function formatterOf(locale: string, sign: string): Intl.DateTimeFormat {
  const key = `${locale} ${sign}`
  const kept = formatters.get(key)
  if (kept !== undefined) return kept
  const made = new Intl.DateTimeFormat(locale, { ...NAMES[sign], timeZone: 'UTC' })
  formatters.set(key, made)
  return made
}

/** Charges for a formatter once in each template: what other templates used before must not change its cost. */
function chargeFormatter(context: Context, key: string): void {
  const paid: Set<string> = (context.getRegister('formatters') ??
    context.setRegister('formatters', new Set())) as Set<string>
  if (paid.has(key)) return
  charge(COSTS.formatter)
  paid.add(key)
}

/** Charges for a format; a width of 9,999,999 would be a text of that length. */
function chargeFormat(context: Context, format: string): void {
  let chars = format.length
  charge(chars / CHARS_PER_UNIT)
  for (const [, , width, sign] of format.matchAll(SIGN)) {
    const isName = Object.hasOwn(NAMES, sign as string)
    charge(isName ? COSTS.name : COSTS.sign)
    if (isName) chargeFormatter(context, sign as string)
    chars += Number(width)
    if (chars > format.length) chargeText(chars)
  }
}

/** Units of a time without an offset: the clock of its zone is read several times. */
const LOCAL_TIME = 600
const UNIX_TIME = /^-?\d+(?:\.\d+)?$/
const MINUTE_MS = 60_000

/**
 * Reads a time as the API does; one without an offset in the zone that it is printed in. Other words are read as
 * JavaScript reads them. @returns undefined when it is no time
 */
function instantOf(value: unknown, zone: string | number): Date | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'now' || value === 'today') return new Date(systemClock.now())
  const given = typeof value === 'string' && UNIX_TIME.test(value) ? Number(value) : value
  // Liquid takes the minutes of an offset as a zone, positive in the west.
  const readLocal = typeof zone === 'string' ? readLocalIn(zone) : (shown: number) => shown + zone * MINUTE_MS
  const at = findInstant(given, (shown) => {
    charge(LOCAL_TIME)
    return readLocal(shown)
  })
  const instant = new Date(at ?? (value as string))
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

/** How the engine pads a sign, with spaces unless it is `h` or `Z`, and changes its case. */
function padded(text: string, flags: string, width: string, sign: string): string {
  const hasLowerCase = /[a-z]/.test(text)
  const isUpper = flags.includes('^') || (flags.includes('#') && hasLowerCase)
  const cased = isUpper ? text.toUpperCase() : flags.includes('#') ? text.toLowerCase() : text
  const isZero = !flags.includes('_') && (flags.includes('0') || 'hZ'.includes(sign))
  return flags.includes('-') ? cased : cased.padStart(Number(width), isZero ? '0' : ' ')
}

/** Replaces the signs that the engine would print by a new formatter each. */
function withNames(format: string, locale: string, local: Date, zone: string | undefined): string {
  return format.replace(SIGN, (all, flags: string, width: string, sign: string) => {
    const text = sign === 'Z' ? zone : Object.hasOwn(NAMES, sign) ? formatterOf(locale, sign).format(local) : undefined
    return text === undefined ? all : padded(text, flags, width, sign).replaceAll('%', '%%')
  })
}

type Print = (self: FilterThis, value: unknown, format: unknown, zone?: unknown) => unknown

/**
 * An invalid zone counts as missing, as in quiet hours: it is often the user's unchecked zone, and must not prevent a
 * message.
 */
function createPrint(date: Filter): Print {
  return (self, value, format, zone) => {
    charge(COSTS.date + chargeAsText(value) / DATE_CHARS_PER_UNIT)
    const { dateFormat, locale } = self.context.opts
    const given = toValue(format)
    chargeAsText(given)
    const known = textOf(given ?? dateFormat).replace(/%[%\w]/g, (sign) => SIGNS[sign] ?? sign)
    chargeFormat(self.context, known)
    const stated = typeof zone === 'string' ? findZone(self.context, zone) : undefined
    const fixed = typeof zone === 'number' && Number.isFinite(zone) ? zone : 0
    const instant = instantOf(toValue(value), stated ?? fixed)
    if (instant === undefined) return value
    const clock = stated === undefined ? undefined : wallClockOf(stated)
    const offset = clock === undefined ? fixed : -clock.offsetMsAt(instant.getTime()) / MINUTE_MS
    const local = new Date(instant.getTime() - offset * MINUTE_MS)
    if (Number.isNaN(local.getTime())) return value
    return date.call(self, instant, withNames(known, locale, local, stated), offset)
  }
}

function findZone(context: Context, zone: string): string | undefined {
  charge(COSTS.zone)
  if (zone.length > MAX_ZONE_CHARS) return undefined
  chargeFormatter(context, `zone ${zone}`)
  return wallClockOf(zone) === undefined ? undefined : findTimeZone(zone)
}

/** Returns the filters of dates of this service. */
export function createDateFilters(date: Filter): Record<string, Filter> {
  const print = createPrint(date)
  const printDay = (month: string): Filter =>
    function (value, type, style) {
      if (type !== 'ordinal') return print(this, value, `%d ${month} %Y`)
      return print(this, value, style === 'US' ? `${month} %-d%q, %Y` : `%-d%q ${month} %Y`)
    }
  return {
    date(value, format, zone) {
      return print(this, value, format, zone)
    },
    date_to_xmlschema(value) {
      return print(this, value, '%Y-%m-%dT%H:%M:%S%:z')
    },
    date_to_rfc822(value) {
      return print(this, value, '%a, %d %b %Y %H:%M:%S %z')
    },
    date_to_string: printDay('%b'),
    date_to_long_string: printDay('%B'),
  }
}
