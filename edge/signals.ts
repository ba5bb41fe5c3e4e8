// Runs an edge until the process is asked to stop: SIGTERM and SIGINT drain, a second one ends at once (contract section 12).

import type { RunningEdge } from './serve.ts'

const MUST_END_MS = 15_000

/** Ends the process: 0 when it drained in time, 1 when not. */
export function runUntilSignal(edge: RunningEdge): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    edge.log.info('draining', { signal })
    setTimeout(() => process.exit(1), MUST_END_MS).unref()
    edge.close().then(
      () => process.exit(0),
      (error: unknown) => {
        edge.log.error('could not stop cleanly', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('unhandledRejection', (error) => edge.log.error('unhandled rejection', { error }))
}
