// Computes where the windows of funnels and of the history begin.

import type { Window } from '../../../contract/delivery.ts'

const HOUR_MS = 3_600_000
const HOURS: Record<Exclude<Window, 'all'>, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 }

/** @returns The first instant of a window (epoch ms): a whole hour, as counters have; null for all time. */
export function sinceOf(window: Window, now: number): number | null {
  return window === 'all' ? null : Math.floor(now / HOUR_MS - HOURS[window]) * HOUR_MS
}
