// Limits the work of a batch of events in one turn of the event loop, and what of it waits in memory.

import { setImmediate } from 'node:timers/promises'
import type { Later } from '../../campaign/evaluator.ts'
import type { TrackPlan } from '../../domain/plan.ts'

/** Events of a batch, or runs that they begin, that are planned in one turn of the loop. */
const TURN_RUNS = 100
const TURN_MS = 10
/** Events of a batch that are in sandboxes at once: the time of these decides whether the next ones begin. */
const SANDBOXED_EVENTS = 32
/** Runs of a batch that may wait for their commit; further events are planned after it. */
const WAITING_RUNS = 2000
/** Characters of their messages. */
const WAITING_CHARS = 8 * 1024 * 1024

/**
 * Limits the work of a batch in one turn of the event loop, the number of its runs that wait for the writer, and the
 * events in sandboxes.
 */
export function createTurns(settled: Promise<unknown>[]) {
  let turnRuns = 0
  let turnAt = performance.now()
  let waitingRuns = 0
  let waitingChars = 0
  let sandboxed: Promise<TrackPlan>[] = []
  return {
    async pass(): Promise<void> {
      if (sandboxed.length >= SANDBOXED_EVENTS) {
        await Promise.allSettled(sandboxed)
        sandboxed = []
      }
      if (waitingRuns >= WAITING_RUNS || waitingChars >= WAITING_CHARS) {
        await Promise.all(settled)
        waitingRuns = 0
        waitingChars = 0
      } else if (turnRuns >= TURN_RUNS || performance.now() - turnAt > TURN_MS) await setImmediate()
      else return
      turnRuns = 0
      turnAt = performance.now()
    },
    count(planned: Later<TrackPlan>): void {
      const runs = planned instanceof Promise ? 1 : planned.runs.length
      const messages = planned instanceof Promise ? [] : planned.messages
      for (const { snapshot } of messages) waitingChars += snapshot.length
      if (planned instanceof Promise) sandboxed.push(planned)
      turnRuns += Math.max(1, runs)
      waitingRuns += runs
    },
  }
}
