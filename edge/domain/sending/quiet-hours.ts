// Quiet hours: a part of each day by the clock on a user's wall, daylight saving included (contract section 5, preferences; section 6, `untilQuietHoursEnd`).

import { wallClockOf } from './wall-clock.ts'

/** From `start` to `end` of each day, or over midnight when `start` is the later one. Never equal. */
export interface QuietHours {
  /** `HH:MM`, 00:00 to 23:59. */
  start: string
  end: string
  /** IANA name; null: the user's own, else UTC. */
  timeZone: string | null
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Minutes since midnight; undefined for what is no time of day. */
export function findMinutes(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** The zone that counts. A profile's may be any text: one that no clock knows is UTC. */
export function zoneOf(hours: Pick<QuietHours, 'timeZone'>, userTimeZone: string | null): string {
  return [hours.timeZone, userTimeZone].find((zone) => zone !== null && isTimeZone(zone)) ?? 'UTC'
}

export function isTimeZone(text: string): boolean {
  return wallClockOf(text) !== undefined
}

/**
 * When the quiet hours end that `at` lies in; null when it lies in none. A night is one piece however the clock jumps: a time that
 * the clock skips is the moment of the jump; of one that comes twice the first begins and the last ends.
 */
export function findQuietEnd(hours: QuietHours, userTimeZone: string | null, at: number): number | null {
  const clock = wallClockOf(zoneOf(hours, userTimeZone))
  const [start, end] = [findMinutes(hours.start), findMinutes(hours.end)]
  if (clock === undefined || start === undefined || end === undefined || start === end) return null
  const today = clock.dayOf(at)
  let quietUntil: number | null = null
  // Those of yesterday may reach into today; where the clock moves at midnight, tomorrow's may have begun, and one may join the next.
  for (const day of [today - 1, today, today + 1]) {
    const [from] = clock.instantsOf(day, start)
    const [, until] = clock.instantsOf(end > start ? day : day + 1, end)
    const reached = quietUntil ?? at
    if (reached >= from && reached < until) quietUntil = until
  }
  return quietUntil
}
