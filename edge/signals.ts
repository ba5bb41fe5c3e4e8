// Runs an edge until a stop signal: SIGTERM, SIGINT and SIGHUP (a terminal that closes) drain it, a second signal ends the process at once.

import type { RunningEdge } from './serve.ts'

/** The process ends after this time even if the drain has not finished. */
const MAX_DRAIN_MS = 14_500
/** Under npm a Ctrl-C arrives twice: from the terminal and from npm. Two signals within this time are one. */
const SAME_SIGNAL_MS = 1000
/** Time for which `/readyz` answers 503 before the port closes, so that balancers notice. */
const ANNOUNCE_MS = 1000

/**
 * Drains the edge at a signal and ends the process. The exit code is 0 after a drain in time, else 1.
 * The caller reports a failed start.
 * @param starting The promise of the start, so that a signal during the start drains the edge too.
 * @param waiting Aborts a start that waits for its database.
 */
export function runUntilSignal(starting: Promise<RunningEdge>, waiting?: AbortController): void {
  const onStop = (signal: string) => {
    setTimeout(() => process.exit(1), MAX_DRAIN_MS).unref()
    waiting?.abort()
    starting.then((edge) => drain(edge, signal)).catch(() => {})
  }
  onStopSignal(['SIGTERM', 'SIGINT', 'SIGHUP'], onStop)
  const logUncaught = ({ log }: RunningEdge) => {
    process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
    // Node itself would print the error with all its values.
    process.on('uncaughtException', (error) => {
      log.error('uncaught exception', { error })
      process.exit(1)
    })
  }
  starting.then(logUncaught).catch(() => {})
}

/** Calls `stop` at the first of these signals. A second one, more than a second later, ends the process with exit code 1. */
export function onStopSignal(signals: NodeJS.Signals[], stop: (signal: NodeJS.Signals) => void): void {
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      stop(signal)
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const signal of signals) process.on(signal, onSignal)
}

async function drain(edge: RunningEdge, signal: string): Promise<void> {
  edge.log.info('draining', { signal })
  try {
    await edge.close({ announceMs: ANNOUNCE_MS })
    process.exit(0)
  } catch (error) {
    edge.log.error('shutdown failed', { error })
    process.exit(1)
  }
}
