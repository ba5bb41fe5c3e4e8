// Converts local times of a time zone to instants, including clock changes (quiet hours). No library, as `Intl` has the
// rules.

import type { ReadLocal } from '../../../contract/instant.ts'
import { createCache } from '../../lib/cache.ts'
import { findTimeZone } from './time-zone.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000
const MAX_ZONES = 1000

export interface WallClock {
  /** What the clock is ahead of UTC at an instant, in milliseconds. */
  offsetMsAt(at: number): number
  /** The local date of an instant, as days since 1970. */
  dayOf(at: number): number
  /**
   * The first and last instant at which the clock shows these minutes of that day. They differ where the clock is set
   * back; for skipped minutes both are the moment of the change.
   */
  instantsOf(day: number, minutes: number): [first: number, last: number]
}

/** Bounded, as the names come from customers. */
const clocks = createCache<string, { clock: WallClock | undefined }>({ maxSize: MAX_ZONES })

/** @returns undefined for an unknown time zone */
export function wallClockOf(timeZone: string): WallClock | undefined {
  let known = clocks.get(timeZone)
  if (known === undefined) {
    known = { clock: createWallClock(timeZone) }
    clocks.set(timeZone, known)
  }
  return known.clock
}

/** @returns The instant at which clocks of the zone show this local time, given as if it were UTC; of two, the first. */
export function readLocalIn(timeZone: string): ReadLocal {
  return (shown) => {
    const minutes = Math.floor(shown / MINUTE_MS)
    const day = Math.floor(shown / DAY_MS)
    const [first] = wallClockOf(timeZone)?.instantsOf(day, minutes - (day * DAY_MS) / MINUTE_MS) ?? []
    return first === undefined ? undefined : first + (shown - minutes * MINUTE_MS)
  }
}

function createWallClock(timeZone: string): WallClock | undefined {
  const zone = findTimeZone(timeZone)
  const format = zone === undefined ? undefined : findFormat(zone)
  if (format === undefined) return undefined

  /** The local time, encoded as if it were UTC. */
  function shownAt(at: number): number {
    const parts: Record<string, number> = {}
    for (const { type, value } of format?.formatToParts(at) ?? []) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  const offsetAt = (at: number) => shownAt(at) - Math.floor(at / 1000) * 1000

  /** Finds the first instant between two at which the clock shows `wanted` or later: the moment of the change. */
  function jumpOver(wanted: number, from: number, to: number): number {
    let [low, high] = [from, to]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (shownAt(middle) >= wanted) high = middle
      else low = middle
    }
    return high
  }

  return {
    offsetMsAt: offsetAt,
    dayOf: (at) => Math.floor(shownAt(at) / DAY_MS),
    instantsOf(day, minutes) {
      const wanted = day * DAY_MS + minutes * MINUTE_MS
      const offsets = [offsetAt(wanted - DAY_MS), offsetAt(wanted + DAY_MS)]
      const found = offsets.map((offset) => wanted - offset).filter((at) => shownAt(at) === wanted)
      if (found.length > 0) return [Math.min(...found), Math.max(...found)]
      const around = offsets.map((offset) => wanted - offset)
      const jump = jumpOver(wanted, Math.min(...around) - DAY_MS, Math.max(...around) + DAY_MS)
      return [jump, jump]
    },
  }
}

function findFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric'
  const fields = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const
  return new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23', calendar: 'gregory' })
}
