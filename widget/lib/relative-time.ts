// "2 minutes ago", in the page's language and by the service's clock.

const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number][] = [
  ['minute', 60_000, 3_600_000],
  ['hour', 3_600_000, 86_400_000],
  ['day', 86_400_000, 7 * 86_400_000],
]

const DAY_MS = 86_400_000
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0)
const daysBetween = (at: number, now: number): number => Math.round((midnight(now) - midnight(at)) / DAY_MS)

export interface TimeWriter {
  /** Short, relative within a week, else a date. `now` in epoch ms. */
  relative(iso: string, now: number): string
  /** When it comes: relative within a week, else a date. */
  until(iso: string, now: number): string
  /** The day as people say it: today, yesterday, a weekday with its date. */
  day(iso: string, now: number): string
  /** The whole date and time, for titles and the detail. */
  full(iso: string): string
}

/** Each format is made when it is first needed: some take a phone 20 ms. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** `nowWord` stands for anything younger than a minute, and for a future that is only skew. */
export function createTimeWriter(locale: string, nowWord: string): TimeWriter {
  const ago = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' }))
  const dayWords = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const dates = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale, options))
  const weekday = dates({ weekday: 'long', day: 'numeric', month: 'long' })
  const day = dates({ day: 'numeric', month: 'short' })
  const dayOfYear = dates({ day: 'numeric', month: 'short', year: 'numeric' })
  const full = dates({ dateStyle: 'long', timeStyle: 'short' })
  const date = (at: number, now: number): string => {
    const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
    return (sameYear ? day : dayOfYear)().format(at)
  }
  return {
    relative: (iso, now) => {
      const at = Date.parse(iso)
      const age = now - at
      if (!(age >= 60_000)) return nowWord
      const step = STEPS.find(([, , below]) => age < below)
      if (step === undefined) return date(at, now)
      // By the calendar, as the heading of the day says it.
      return ago().format(-(step[1] < DAY_MS ? Math.floor(age / step[1]) : daysBetween(at, now)), step[0])
    },
    until: (iso, now) => {
      const at = Date.parse(iso)
      const wait = Math.max(60_000, at - now)
      const step = STEPS.find(([, ms, below]) => Math.round(wait / ms) * ms < below)
      return step === undefined ? date(at, now) : ago().format(Math.round(wait / step[1]), step[0])
    },
    day: (iso, now) => {
      const at = Date.parse(iso)
      const daysAgo = daysBetween(at, now)
      if (daysAgo <= 1) return dayWords().format(-Math.max(0, daysAgo), 'day')
      return (daysAgo < 300 ? weekday : dayOfYear)().format(at)
    },
    full: (iso) => full().format(Date.parse(iso)),
  }
}
