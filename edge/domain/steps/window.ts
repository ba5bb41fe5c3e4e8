// Fields that `digest` and `throttle` have in common: a window of time and a count (contract section 6).

import { findDurationMs } from '../../lib/duration.ts'
import type { Reader } from './reader.ts'

const LONGEST_WINDOW_MS = 365 * 24 * 60 * 60 * 1000

/** The ISO 8601 duration of the field `window`; empty when at fault. */
export function readWindow(reader: Reader): string {
  if (!reader.has('window')) reader.fault('window', 'This is missing.')
  const window = reader.duration('window')
  if (window !== undefined && (findDurationMs(window) ?? 0) > LONGEST_WINDOW_MS) {
    reader.fault('window', 'A window is of at most 365 days.')
  }
  return window ?? ''
}

/** A whole number from 1 to `most`; undefined when absent or at fault. */
export function readCount(reader: Reader, key: string, most: number): number | undefined {
  const count = reader.raw(key)
  if (count === undefined) return undefined
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= most) return count
  reader.fault(key, `This must be a whole number from 1 to ${most}.`)
  return undefined
}
