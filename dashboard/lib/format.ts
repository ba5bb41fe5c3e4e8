// Formats times, numbers and percentages as the dashboard shows them, in the language and time zone of the browser.

/** Makes a formatter when it is first used: all five take a slow device 150 ms, which the first page need not wait for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const moment = once(
  () =>
    new Intl.DateTimeFormat(undefined, {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
)
const fullMoment = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }))
const clock = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))
const zoned = once(
  () =>
    new Intl.DateTimeFormat(undefined, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    }),
)
const dayOfUtc = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }))
const whole = once(() => new Intl.NumberFormat())
const relative = once(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))

/** @returns Such as "Nov 25, 01:47:18". */
export const formatTime = (iso: string): string => moment().format(new Date(iso))

/** @returns The time in full, with its zone, for titles. */
export const formatFullTime = (iso: string): string => fullMoment().format(new Date(iso))

/** @returns Such as "01:47". */
export const formatClock = (iso: string): string => clock().format(new Date(iso))

/** @returns Such as "Nov 25, 2026, 01:47 GMT+1", for a time that people with other zones share. */
export const formatZoned = (iso: string): string => zoned().format(new Date(iso))

/** The server counts by days of UTC: west of it, the instant at which one begins lies in the day before. */
export const formatDay = (iso: string): string => dayOfUtc().format(new Date(iso))

/** Small numbers need no format: making one takes a slow device 40 ms. */
export const formatCount = (count: number): string => (count < 1000 ? String(count) : whole().format(count))

/** @returns "42.0 %"; "–" where there is no percentage. */
export const formatPercent = (percent: number | null): string => (percent === null ? '–' : `${percent.toFixed(1)} %`)

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** @returns Such as "3 minutes ago"; "now" within a minute. */
export function formatAge(iso: string, now = Date.now()): string {
  const sinceMs = Date.parse(iso) - now
  const step = STEPS.find(([, ms]) => Math.abs(sinceMs) >= ms)
  if (step === undefined) return relative().format(0, 'second')
  // "Yesterday" is the day before this one, not what is 20 or 40 hours ago.
  const count = step[0] === 'day' ? (midnight(Date.parse(iso)) - midnight(now)) / step[1] : sinceMs / step[1]
  return relative().format(Math.round(count), step[0])
}

const dayOfYear = once(() => new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }))
const dayOfAnyYear = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))

/** @returns As `formatAge` within a week, such as "3 minutes ago"; else the day, such as "Nov 12", with another year than now. */
export function formatMoment(iso: string, now = Date.now()): string {
  const at = Date.parse(iso)
  if (Math.abs(at - now) < 7 * 86_400_000) return formatAge(iso, now)
  return (new Date(at).getFullYear() === new Date(now).getFullYear() ? dayOfYear : dayOfAnyYear)().format(at)
}

const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** @returns The time between two instants, such as "1.2 s"; the smallest unit is the millisecond. */
export function formatSpan(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 86_400_000) return `${(ms / 3_600_000).toFixed(1)} h`
  return `${(ms / 86_400_000).toFixed(1)} d`
}

/** @returns Such as "3.1 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(0)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Capitalises a name of the API for people: `no-address` → "No address". */
export function toWords(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
