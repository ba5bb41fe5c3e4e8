// Computes quiet hours: a daily interval by the user's local time, including daylight saving.

import { findTimeZone } from './time-zone.ts'
import { wallClockOf } from './wall-clock.ts'

/** From `start` to `end` of each day, or over midnight when `start` is later. Never equal. */
export interface QuietHours {
  /** `HH:MM`, 00:00 to 23:59. */
  start: string
  end: string
  /** IANA name; null: the user's, else the organisation's, else UTC. */
  timeZone: string | null
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Parses minutes since midnight; undefined for any other text. */
export function findMinutes(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** Returns the IANA name of the effective zone. A profile's may be any text: an unknown zone is UTC. */
export function zoneOf(hours: Pick<QuietHours, 'timeZone'>, userTimeZone: string | null): string {
  const zone = [hours.timeZone, userTimeZone].find((zone) => zone !== null && isTimeZone(zone))
  return findTimeZone(zone ?? 'UTC') ?? 'UTC'
}

/** Whether a text means a time zone (`time-zone.ts`). */
export function isTimeZone(text: string): boolean {
  return wallClockOf(text) !== undefined
}

/**
 * Returns the end of the quiet hours that contain `at`; null outside of them. A clock change does not split a night: a
 * skipped time is the moment of the change; of a repeated one the first begins and the last ends.
 */
export function findQuietEnd(hours: QuietHours, userTimeZone: string | null, at: number): number | null {
  const clock = wallClockOf(zoneOf(hours, userTimeZone))
  const [start, end] = [findMinutes(hours.start), findMinutes(hours.end)]
  if (clock === undefined || start === undefined || end === undefined || start === end) return null
  const today = clock.dayOf(at)
  let quietUntil: number | null = null
  // Yesterday's may reach into today. Where the clock changes at midnight, tomorrow's may have begun. One may continue
  // the other.
  for (const day of [today - 1, today, today + 1]) {
    const [from] = clock.instantsOf(day, start)
    const [, until] = clock.instantsOf(end > start ? day : day + 1, end)
    const reached = quietUntil ?? at
    if (reached >= from && reached < until) quietUntil = until
  }
  return quietUntil
}
