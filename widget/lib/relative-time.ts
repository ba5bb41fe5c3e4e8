// "2 minutes ago", in the page's language and by the service's clock (contract section 13).

const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number][] = [
  ['minute', 60_000, 3_600_000],
  ['hour', 3_600_000, 86_400_000],
  ['day', 86_400_000, 7 * 86_400_000],
]

export interface TimeWriter {
  /** Short, relative within a week, else a date. `now` in epoch ms. */
  relative(iso: string, now: number): string
  /** The whole date and time, for titles and the detail. */
  full(iso: string): string
}

/** `nowWord` stands for anything younger than a minute, and for a future that is only skew. */
export function createTimeWriter(locale: string, nowWord: string): TimeWriter {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' })
  return {
    relative: (iso, now) => {
      const at = Date.parse(iso)
      const age = now - at
      if (!(age >= 60_000)) return nowWord
      const step = STEPS.find(([, , below]) => age < below)
      if (step !== undefined) return relative.format(-Math.floor(age / step[1]), step[0])
      const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
      return (sameYear ? day : dayOfYear).format(at)
    },
    full: (iso) => full.format(Date.parse(iso)),
  }
}
