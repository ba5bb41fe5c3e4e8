// Prints dates in Liquid: with signs that the engine lacks, in known zones only, by formatters that are kept.

import { type Context, toValue } from 'liquidjs'
import { findInstant } from '../../../contract/instant.ts'
import { findTimeZone } from '../../domain/sending/time-zone.ts'
import { readLocalIn, wallClockOf } from '../../domain/sending/wall-clock.ts'
import { systemClock } from '../../lib/clock.ts'
import { charge, chargeText } from './budget.ts'
import {
  chargeFormatter,
  type Filter,
  type FilterThis,
  formatterOf,
  localeOf,
  readArguments,
  zoneOf,
} from './liquid-locale.ts'
import { textOf } from './liquid-texts.ts'
import { noteDoubt } from './noted-doubts.ts'
import { chargeAsText } from './value-cost.ts'

/** Maps signs of Liquid's `date` that this engine does not support to supported ones. */
const SIGNS: Record<string, string> = {
  '%F': '%Y-%m-%d',
  '%T': '%H:%M:%S',
  '%R': '%H:%M',
  '%D': '%m/%d/%y',
  '%r': '%I:%M:%S %p',
}

/**
 * In units. Reading a date takes 0.8 µs, a name of a day or month 0.8 µs, a time in a zone 6 µs. A formatter is
 * charged where it is kept.
 */
const COSTS = { date: 30, zone: 100, name: 20, sign: 12 }
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
  c: { dateStyle: 'short', timeStyle: 'medium' },
  x: { dateStyle: 'short' },
  X: { timeStyle: 'medium' },
}
/** Formats that `Intl` knows by a name. Without a format, a date is printed with its time. */
const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  short: { dateStyle: 'short' },
  medium: { dateStyle: 'medium' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
  '': { dateStyle: 'long', timeStyle: 'short' },
}
const BY_DEFAULT = ''
/** The formats with a name. */
export const DATE_STYLES: ReadonlySet<string> = new Set(Object.keys(STYLES).filter((name) => name !== BY_DEFAULT))
const isEnglish = (locale: string) => /^en\b/.test(locale)
const styled = (name: string) => (tags: string[]) => new Intl.DateTimeFormat(tags, { ...STYLES[name], timeZone: 'UTC' })
/** Beside a day, many languages decline the name of a month: "24 grudnia", but "grudzień". */
const MONTHS = new Set(['b', 'h', 'B'])

/** Charges for a format; a width of 9,999,999 would be a text of that length. */
function chargeFormat(format: string): void {
  let chars = format.length
  charge(chars / CHARS_PER_UNIT)
  for (const [, , width, sign] of format.matchAll(SIGN)) {
    const isName = Object.hasOwn(NAMES, sign as string)
    charge(isName ? COSTS.name : COSTS.sign)
    chars += Number(width)
    if (chars > format.length) chargeText(chars)
  }
}

/** Units of a time without an offset: the clock of its zone is read several times. */
const LOCAL_TIME = 600
const UNIX_TIME = /^-?\d+(?:\.\d+)?$/
const MINUTE_MS = 60_000

/**
 * Reads a time as the API does; one without an offset in the zone that it is printed in, and the words now and today.
 * @returns undefined when it is no time
 */
export function instantOf(value: unknown, zone: string | number): Date | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'now' || value === 'today') return new Date(systemClock.now())
  const given = typeof value === 'string' && UNIX_TIME.test(value) ? Number(value) : value
  // Liquid takes the minutes of an offset as a zone, positive in the west.
  const readLocal = typeof zone === 'string' ? readLocalIn(zone) : (shown: number) => shown + zone * MINUTE_MS
  const at = findInstant(given, (shown) => {
    charge(LOCAL_TIME)
    return readLocal(shown)
  })
  return at === undefined ? undefined : new Date(at)
}

/** How the engine pads a sign, with spaces unless it is `h` or `Z`, and changes its case. */
function padded(text: string, flags: string, width: string, sign: string): string {
  const hasLowerCase = /[a-z]/.test(text)
  const isUpper = flags.includes('^') || (flags.includes('#') && hasLowerCase)
  const cased = isUpper ? text.toUpperCase() : flags.includes('#') ? text.toLowerCase() : text
  const isZero = !flags.includes('_') && (flags.includes('0') || 'hZ'.includes(sign))
  return flags.includes('-') ? cased : cased.padStart(Number(width), isZero ? '0' : ' ')
}

/** The local time of a date, which its formatters take for UTC, and how to print it. */
interface Shown {
  context: Context
  locale: string
  local: Date
  /** The name of the zone, for `%Z`. */
  zone: string | undefined
}

/** Replaces the signs that the engine would print in English, or by a new formatter each. */
function withNames(format: string, { context, locale, local, zone }: Shown): string {
  const signs = [...format.matchAll(SIGN)].map(([, , , sign]) => sign)
  const hasDay = signs.includes('d') || signs.includes('e')
  return format.replace(SIGN, (all, flags: string, width: string, sign: string) => {
    if (sign === 'q' && !isEnglish(locale)) return ''
    if (sign !== 'Z' && !Object.hasOwn(NAMES, sign)) return all
    const text = sign === 'Z' ? zone : nameOf(context, locale, sign, hasDay && MONTHS.has(sign), local)
    return text === undefined ? all : padded(text, flags, width, sign).replaceAll('%', '%%')
  })
}

function nameOf(context: Context, locale: string, sign: string, isBesideDay: boolean, local: Date): string {
  const fields = NAMES[sign]
  const create = (tags: string[], more?: object) =>
    new Intl.DateTimeFormat(tags, { ...fields, ...more, timeZone: 'UTC' })
  if (isBesideDay) {
    const key = `date ${sign} beside a day`
    const parts = formatterOf(context, locale, key, (tags) => create(tags, { day: 'numeric' })).formatToParts(local)
    const month = parts.find(({ type }) => type === 'month')?.value
    // In some languages the name is a number with a word, which are two parts.
    if (month !== undefined && !/\d/.test(month)) return month
  }
  return formatterOf(context, locale, `date ${sign}`, create).format(local)
}

type Print = (self: FilterThis, value: unknown, format: unknown, stated?: Stated) => unknown

/** What stands in place of the user's. */
interface Stated {
  zone?: unknown
  locale?: unknown
}

/** Of forms that programs read. */
const FOR_PROGRAMS: Stated = { zone: 'UTC', locale: 'en-US' }

/**
 * A date is printed in the user's language and zone. An invalid zone counts as missing, as in quiet hours: it is often
 * the user's unchecked zone, and must not prevent a message.
 */
function createPrint(date: Filter): Print {
  return (self, value, format, stated = {}) => {
    charge(COSTS.date + chargeAsText(value) / DATE_CHARS_PER_UNIT)
    const { context } = self
    const locale = localeOf(context, stated.locale)
    // The engine's own default is in English.
    const given: unknown = toValue(format) ?? (isEnglish(locale) ? context.opts.dateFormat : BY_DEFAULT)
    chargeAsText(given)
    const known = textOf(given).replace(/%[%\w]/g, (sign) => SIGNS[sign] ?? sign)
    chargeFormat(known)
    const fixed = typeof stated.zone === 'number' && Number.isFinite(stated.zone) ? stated.zone : undefined
    const wanted = typeof stated.zone === 'string' ? stated.zone : fixed === undefined ? zoneOf(context) : undefined
    const zone = wanted === undefined ? undefined : findZone(context, wanted)
    const read: unknown = toValue(value)
    const instant = instantOf(read, zone ?? fixed ?? 0)
    if (instant === undefined) return read
    const clock = zone === undefined ? undefined : wallClockOf(zone)
    const offset = clock === undefined ? (fixed ?? 0) : -clock.offsetMsAt(instant.getTime()) / MINUTE_MS
    const local = new Date(instant.getTime() - offset * MINUTE_MS)
    if (Number.isNaN(local.getTime())) return read
    if (Object.hasOwn(STYLES, known)) return formatterOf(context, locale, `date ${known}`, styled(known)).format(local)
    return date.call(self, instant, withNames(known, { context, locale, local, zone }), offset)
  }
}

/** @returns the zone of the user; undefined when it is unknown */
export function userZoneOf(context: Context): string | undefined {
  const wanted = zoneOf(context)
  return wanted === undefined ? undefined : findZone(context, wanted)
}

function findZone(context: Context, zone: string): string | undefined {
  charge(COSTS.zone)
  const known = zone.length > MAX_ZONE_CHARS ? undefined : findKnownZone(context, zone)
  if (known === undefined && zone.trim() !== '') {
    noteDoubt('unknown-time-zone', findZone, () => ['prints a date in an unknown time zone, in UTC instead', zone])
  }
  return known
}

function findKnownZone(context: Context, zone: string): string | undefined {
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
    date(value, ...args) {
      const { listed, named } = readArguments(args)
      const [format, zone] = listed
      return print(this, value, format, { zone, locale: named.get('locale') })
    },
    date_to_xmlschema(value) {
      return print(this, value, '%Y-%m-%dT%H:%M:%S%:z', FOR_PROGRAMS)
    },
    date_to_rfc822(value) {
      return print(this, value, '%a, %d %b %Y %H:%M:%S %z', FOR_PROGRAMS)
    },
    date_to_string: printDay('%b'),
    date_to_long_string: printDay('%B'),
  }
}
