// How many calls a minute: classes of call, an environment's own limits, and the port that counts (contract section 1, `request/rate-limited`).

/**
 * `auth`: sign-ins, per address. `inbox`: calls of the widget, per user. `track`: recipients of tracked events, per
 * environment. `management`: all other calls with a key, per environment.
 */
export const LIMITED_CLASSES = ['auth', 'inbox', 'track', 'management'] as const
export type LimitedClass = (typeof LIMITED_CLASSES)[number]

export function isLimitedClass(name: string): name is LimitedClass {
  return (LIMITED_CLASSES as readonly string[]).includes(name)
}

/** Calls a minute by class; null: no limit. */
export type CallLimits = Record<LimitedClass, number | null>

/**
 * What one environment sets for itself. `track` and `management` stand in place of the deployment's (null lifts it);
 * `auth` and `inbox` bound all its addresses and users together, beside the deployment's for each of them.
 */
export type EnvironmentLimits = Partial<CallLimits>

/** What was used of a window, the call that asked included. */
export interface Usage {
  used: number
  /** Until the window ends and all is forgotten (ms). */
  resetMs: number
}

/** Counts in windows that begin with the first call of a key. */
export interface CallCounter {
  /** Adds points (negative: gives them back) to a key's window, which it opens when there is none. */
  add(key: string, points: number): Usage | Promise<Usage>
}

/** The length of every window (ms). */
export const LIMIT_WINDOW_MS = 60_000

const LIMIT = /^(off|[1-9]\d{0,8})$/

/** A limit as people write it: a number from 1, or `off`. Undefined for anything else. */
export function findLimit(text: string): number | null | undefined {
  if (!LIMIT.test(text)) return undefined
  return text === 'off' ? null : Number(text)
}
