// Says an ISO 8601 duration in words, such as "10 minutes".

import { findDurationMs } from '../../contract/duration.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** @returns `PT90M` as "1 hour 30 minutes"; the text itself where it is no duration of a second or more. */
export function durationWords(text: string): string {
  let restMs = findDurationMs(text) ?? 0
  const words = UNITS.flatMap(([unit, ms]) => {
    const count = Math.floor(restMs / ms)
    restMs -= count * ms
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return words.length === 0 ? text : words.join(' ')
}
