// Measures the running time of this process: time in which it stood still (a paused machine, a blocked loop) hardly counts. Used
// where the delay of another party is judged.

import { performance } from 'node:perf_hooks'

export interface RunningTime {
  /** Milliseconds that this process ran; never steps back. */
  now(): number
  stop(): void
}

/** Samples the clock every `sampleEveryMs` and counts at most twice that per sample. Does not keep the process alive. */
export function startRunningTime(sampleEveryMs: number): RunningTime {
  let ranMs = 0
  let lookedAt = performance.now()
  const now = () => {
    const at = performance.now()
    ranMs += Math.min(at - lookedAt, 2 * sampleEveryMs)
    lookedAt = at
    return ranMs
  }
  const timer = setInterval(now, sampleEveryMs)
  timer.unref()
  return { now, stop: () => clearInterval(timer) }
}
