// Time as this process had it: what it stood still for (a paused machine, a loop that was held up) hardly counts. For what judges
// others by how long they took.

import { performance } from 'node:perf_hooks'

export interface RunningTime {
  /** Milliseconds that this process ran; never steps back. */
  now(): number
  stop(): void
}

/** Looks at the clock every `lookEveryMs`; between two looks at most twice that goes by. Keeps no process alive. */
export function startRunningTime(lookEveryMs: number): RunningTime {
  let ranMs = 0
  let lookedAt = performance.now()
  const now = () => {
    const at = performance.now()
    ranMs += Math.min(at - lookedAt, 2 * lookEveryMs)
    lookedAt = at
    return ranMs
  }
  const timer = setInterval(now, lookEveryMs)
  timer.unref()
  return { now, stop: () => clearInterval(timer) }
}
