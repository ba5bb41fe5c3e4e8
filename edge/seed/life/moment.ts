// Provides the clock and the ids of one instant of the past.

import type { Clock } from '../../lib/clock.ts'
import { createIdSource, type IdSource } from '../../lib/id.ts'

export interface Moment {
  clock: Clock
  ids: Record<'event' | 'run' | 'message' | 'job', IdSource>
}

/** @param at Epoch ms, no other moment's. The ids are the same at each call. */
export function momentAt(at: number): Moment {
  const clock = { now: () => at }
  const source = () => createIdSource(clock)
  return { clock, ids: { event: source(), run: source(), message: source(), job: source() } }
}
