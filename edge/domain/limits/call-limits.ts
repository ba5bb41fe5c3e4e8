// Defines the limits of calls per minute: the names of classes, and the counter's port.

import { LIMITED_CLASSES, type LimitedClass } from '../../../contract/tenant.ts'

export function isLimitedClass(name: string): name is LimitedClass {
  return (LIMITED_CLASSES as readonly string[]).includes(name)
}

/** Points used in a window, including this call. */
export interface Usage {
  used: number
  /** Milliseconds until the window ends. */
  resetMs: number
}

/** Counts in windows that begin with a key's first call. */
export interface CallCounter {
  /**
   * Adds points (negative: returns them) to a key's window, and opens one if necessary.
   * @param windowMs Always the same for a key; default `LIMIT_WINDOW_MS`.
   */
  add(key: string, points: number, windowMs?: number): Usage | Promise<Usage>
}

/** The length of a window (ms). */
export const LIMIT_WINDOW_MS = 60_000

const LIMIT = /^(off|[1-9]\d{0,8})$/

/** Parses a limit: a number from 1, or `off`. @returns undefined for any other text */
export function findLimit(text: string): number | null | undefined {
  if (!LIMIT.test(text)) return undefined
  return text === 'off' ? null : Number(text)
}
