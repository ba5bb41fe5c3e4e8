// Defines the limits of calls per minute: classes of calls, an environment's own limits, and the counter's port.

/**
 * `auth`: sign-ins, per address. `inbox`: calls of the widget, per user. `track`: recipients of tracked events, per
 * environment. `management`: all other calls with a key, per environment.
 */
export const LIMITED_CLASSES = ['auth', 'inbox', 'track', 'management'] as const
export type LimitedClass = (typeof LIMITED_CLASSES)[number]

export function isLimitedClass(name: string): name is LimitedClass {
  return (LIMITED_CLASSES as readonly string[]).includes(name)
}

/** Calls per minute by class; null: no limit. */
export type CallLimits = Record<LimitedClass, number | null>

/**
 * An environment's own limits. `track` and `management` replace the deployment's (null: none); `auth` and `inbox` limit
 * all its addresses and users together, in addition to the deployment's limit for each.
 */
export type EnvironmentLimits = Partial<CallLimits>

/** Points used in a window, including this call. */
export interface Usage {
  used: number
  /** Milliseconds until the window ends. */
  resetMs: number
}

/** Counts in windows that begin with a key's first call. */
export interface CallCounter {
  /** Adds points (negative: returns them) to a key's window, and opens one if necessary. */
  add(key: string, points: number): Usage | Promise<Usage>
}

/** The length of every window (ms). */
export const LIMIT_WINDOW_MS = 60_000

const LIMIT = /^(off|[1-9]\d{0,8})$/

/** Parses a limit: a number from 1, or `off`. @returns undefined for any other text */
export function findLimit(text: string): number | null | undefined {
  if (!LIMIT.test(text)) return undefined
  return text === 'off' ? null : Number(text)
}
