// Breaks the circuit of an endpoint: after failures in a row no call is sent for a while, then one call probes.

import { createCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'

/** What a call may do; `probe`: it is the one call that may try while the circuit is open. */
export type CircuitState = 'closed' | 'probe' | 'open'

export interface Circuits {
  /** Decides whether a call may be sent now. `isForced`: also while the circuit is open and no call probes. */
  enter(key: string, isForced?: boolean): CircuitState
  /** Records an attempt. @returns for how long it opened the circuit, `closed` when it closed it */
  report(key: string, state: CircuitState, isDown: boolean): { openedForMs: number } | 'closed' | undefined
  /** Records that nothing was sent: another call may probe. */
  cancel(key: string, state: CircuitState): void
  /** Endpoints whose circuit is open. */
  countOpen(): number
}

/** Failures in a row: all three attempts of three calls, and one more. */
const FAILURES_TO_OPEN = 10
const OPEN_MS = 10_000
const MAX_OPEN_MS = 2 * 60_000
const MAX_ENDPOINTS = 10_000

interface Failing {
  failures: number
  /** 0: closed. */
  openedForMs: number
  opensUpAt: number
  isProbed: boolean
}

/** Only endpoints whose last attempt failed take memory. */
export function createCircuits(clock: Clock): Circuits {
  const states = createCache<string, Failing>({ maxSize: MAX_ENDPOINTS })

  function fail(key: string): { openedForMs: number } | undefined {
    const state = states.get(key) ?? { failures: 0, openedForMs: 0, opensUpAt: 0, isProbed: false }
    const wasOpen = state.openedForMs > 0
    const isProbe = state.isProbed
    state.failures++
    state.isProbed = false
    states.set(key, state)
    // Calls that were under way when the circuit opened are not counted.
    if (wasOpen ? !isProbe : state.failures < FAILURES_TO_OPEN) return undefined
    state.openedForMs = wasOpen ? Math.min(MAX_OPEN_MS, state.openedForMs * 2) : OPEN_MS
    state.opensUpAt = clock.now() + state.openedForMs
    return { openedForMs: state.openedForMs }
  }

  return {
    enter(key, isForced = false) {
      const state = states.get(key)
      if (state === undefined || state.openedForMs === 0) return 'closed'
      if (state.isProbed || (clock.now() < state.opensUpAt && !isForced)) return 'open'
      state.isProbed = true
      return 'probe'
    },
    report(key, state, isDown) {
      if (isDown) {
        const failing = states.get(key)
        // A call that was sent before the circuit opened must not end the probe.
        if (failing?.isProbed === true && state !== 'probe') return undefined
        return fail(key)
      }
      const wasOpen = (states.get(key)?.openedForMs ?? 0) > 0
      states.delete(key)
      return wasOpen ? 'closed' : undefined
    },
    cancel(key, state) {
      const failing = states.get(key)
      if (state === 'probe' && failing !== undefined) failing.isProbed = false
    },
    countOpen: () => [...states.values()].filter(({ openedForMs }) => openedForMs > 0).length,
  }
}
