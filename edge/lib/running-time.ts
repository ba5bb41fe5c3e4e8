// Measures the running time of this process: a paused machine or a blocked loop hardly counts. Used to measure delays of
// another party.

import { performance } from 'node:perf_hooks'

export interface RunningTime {
  /** Milliseconds that this process ran; never steps back. */
  now(): number
  stop(): void
}

/** Samples the clock every `sampleEveryMs` and counts at most twice that per sample. Does not keep the process alive. */
export function startRunningTime(sampleEveryMs: number): RunningTime {
  let ranMs = 0
  let sampledAt = performance.now()
  const now = () => {
    const at = performance.now()
    ranMs += Math.min(at - sampledAt, 2 * sampleEveryMs)
    sampledAt = at
    return ranMs
  }
  const timer = setInterval(now, sampleEveryMs)
  timer.unref()
  return { now, stop: () => clearInterval(timer) }
}
