// Leaves an endpoint alone that fails again and again, then lets one call try (contract section 8: one that hangs cannot hold the workers).

import type { Clock } from '../lib/clock.ts'

/** `probe`: the one call that may try while it is open. */
export type Passage = 'closed' | 'probe' | 'open'

export interface Circuits {
  /** Whether a call may go to the endpoint now. `isForced`: also while it is open and nobody probes. */
  enter(key: string, isForced?: boolean): Passage
  /** What came of an attempt; answers for how long the circuit was opened by it, or that it was closed. */
  report(key: string, passage: Passage, isDown: boolean): { openedForMs: number } | 'closed' | undefined
  /** Nothing was asked after all: another may probe. */
  giveBack(key: string, passage: Passage): void
  /** Endpoints that are left alone now. */
  countOpen(): number
}

/** In a row. Three attempts of three calls, and one. */
const FAILURES_TO_OPEN = 10
const OPEN_MS = 10_000
const LONGEST_OPEN_MS = 2 * 60_000
const MAX_ENDPOINTS = 10_000

interface State {
  failures: number
  /** 0: closed. */
  openedForMs: number
  opensUpAt: number
  isProbed: boolean
}

/** Only endpoints that failed last take room. */
export function createCircuits(clock: Clock): Circuits {
  const states = new Map<string, State>()

  function fail(key: string): { openedForMs: number } | undefined {
    const state = states.get(key) ?? { failures: 0, openedForMs: 0, opensUpAt: 0, isProbed: false }
    const wasOpen = state.openedForMs > 0
    const isProbe = state.isProbed
    state.failures++
    state.isProbed = false
    states.delete(key)
    states.set(key, state)
    if (states.size > MAX_ENDPOINTS) states.delete(states.keys().next().value as string)
    // Calls that were under way when it opened say nothing new.
    if (wasOpen ? !isProbe : state.failures < FAILURES_TO_OPEN) return undefined
    state.openedForMs = wasOpen ? Math.min(LONGEST_OPEN_MS, state.openedForMs * 2) : OPEN_MS
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
    report(key, passage, isDown) {
      if (isDown) {
        const state = states.get(key)
        // One that was sent before the circuit opened must not end the turn of the probe.
        if (state?.isProbed === true && passage !== 'probe') return undefined
        return fail(key)
      }
      const wasOpen = (states.get(key)?.openedForMs ?? 0) > 0
      states.delete(key)
      return wasOpen ? 'closed' : undefined
    },
    giveBack(key, passage) {
      const state = states.get(key)
      if (passage === 'probe' && state !== undefined) state.isProbed = false
    },
    countOpen: () => [...states.values()].filter(({ openedForMs }) => openedForMs > 0).length,
  }
}
