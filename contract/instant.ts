// Parses times in every form that the service takes: ISO 8601, and Unix time in seconds or milliseconds.

const DATE = String.raw`(\d{4}-\d{2}-\d{2})`
const TIME = String.raw`(\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`
const OFFSET = String.raw`(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)`
const ISO = new RegExp(`^${DATE}(?:[T ]${TIME}(?: ?${OFFSET})?)?$`, 'i')

/** As seconds this is the year 5138, as milliseconds March 1973. */
const FIRST_MILLISECONDS = 1e11
const MINUTE_MS = 60_000
const FIRST_AT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_AT = Date.parse('9999-12-31T23:59:59.999Z')

/** What a refusal of a time says. */
export const INSTANT_RULE =
  'This must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00.000Z, or Unix time as a number.'

/** Returns the instant (epoch ms) at which a clock shows a local time, which is given as if it were UTC. */
export type ReadLocal = (shown: number) => number | undefined

/**
 * Parses a time: an ISO 8601 text, or a number below 10^11 in seconds, else in milliseconds.
 * @param readLocal Reads a text without an offset, in the zone that the caller states; a date is its midnight. Without it
 * such a text is no time.
 * @returns Epoch ms in the years 0000 to 9999 of UTC; undefined for anything else.
 */
export function findInstant(value: unknown, readLocal?: ReadLocal): number | undefined {
  const at = typeof value === 'number' ? ofUnixTime(value) : typeof value === 'string' ? ofText(value, readLocal) : NaN
  return at !== undefined && at >= FIRST_AT && at <= LAST_AT ? at : undefined
}

function ofUnixTime(value: number): number {
  return Math.round(Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value)
}

function ofText(text: string, readLocal: ReadLocal | undefined): number | undefined {
  const [match, day = '', time = '00:00', second = '00', fraction = '', utc, sign, hours, minutes = '00'] =
    ISO.exec(text) ?? []
  if (match === undefined) return undefined
  const shown = Date.parse(`${day}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  if (Number.isNaN(shown) || !isDay(day)) return undefined
  if (utc !== undefined) return shown
  if (hours === undefined) return readLocal?.(shown)
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return sign === '-' ? shown + offset : shown - offset
}

/** `Date.parse` moves a day that its month lacks to the next month. */
function isDay(day: string): boolean {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).getUTCDate() === Number(day.slice(8))
}
