// Says spans and times in English words, for sentences of answers.

const UNITS: [name: string, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** @returns A span in its two largest units, such as `1 hour 30 minutes`; `0 seconds` for less than one. */
export function saySpan(ms: number): string {
  const parts: string[] = []
  let left = Math.max(0, Math.round(ms / 1000) * 1000)
  for (const [name, unit] of UNITS) {
    const count = Math.floor(left / unit)
    left -= count * unit
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return parts.length === 0 ? '0 seconds' : parts.join(' ')
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const TIME = { ...DAY, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** @param timeZone One that `Intl` knows; UTC without one. @returns Such as `3 November 2026`. */
export const sayDay = (at: number, timeZone: string | null): string => say(at, timeZone, DAY)

/** @returns Such as `3 November 2026 at 07:00 CET`. */
export const sayTime = (at: number, timeZone: string | null): string => say(at, timeZone, TIME)

function say(at: number, timeZone: string | null, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timeZone ?? 'UTC' }).format(at)
}
