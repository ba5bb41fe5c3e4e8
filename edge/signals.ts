// Runs an edge until the process is asked to stop: SIGTERM and SIGINT drain, a second one ends at once (contract section 12).

import type { RunningEdge } from './serve.ts'

const MUST_END_MS = 14_500
/** How long readiness says 503 before the port is given up, so that balancers hear of it. */
const ANNOUNCE_MS = 1000

/**
 * Ends the process: 0 when it drained in time, 1 when not. Takes the start itself, so that a signal which comes while it
 * starts, or with its first answer, drains too. A start that fails is for the caller to tell; `waiting` ends one that waits.
 */
export function runUntilSignal(starting: Promise<RunningEdge>, waiting?: AbortController): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), MUST_END_MS).unref()
    waiting?.abort()
    starting.then((edge) => drain(edge, signal)).catch(() => {})
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  const watch = ({ log }: RunningEdge) => {
    process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
    // Node would print it as it is, with whatever values it holds.
    process.on('uncaughtException', (error) => {
      log.error('uncaught exception', { error })
      process.exit(1)
    })
  }
  starting.then(watch).catch(() => {})
}

async function drain(edge: RunningEdge, signal: string): Promise<void> {
  edge.log.info('draining', { signal })
  try {
    await edge.close({ announceMs: ANNOUNCE_MS })
    process.exit(0)
  } catch (error) {
    edge.log.error('could not stop cleanly', { error })
    process.exit(1)
  }
}
