// Removes the rows of deleted environments in small steps, so that tracking of others continues.

import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '../../domain/core.ts'

/** Limits the removal to one part in five of the writer's time. */
const REST_FACTOR = 4
/** Limits a turn, because stopping the service waits for its end. */
const TURN_MS = 1000
/** Until an environment without rows is looked at again: calls that were under way may have written some. */
const IDLE_MS = 60_000

/**
 * Safe to interrupt and to run on several nodes: each step is a transaction that depends on stored data only.
 * @returns One turn of the schedule: a second at most.
 */
export function createEraseEnvironments(
  deps: Pick<Core, 'environments' | 'clock'> & {
    /** Removes the files of mails whose rows are gone. */
    sweepMailFiles(): Promise<unknown>
    /** Pauses between two steps; tests need not wait. */
    rest?(ms: number): Promise<unknown>
  },
): () => Promise<void> {
  const rest = deps.rest ?? ((ms: number) => delay(ms))
  const idleUntil = new Map<number, number>()

  return async function eraseEnvironments() {
    const endMs = performance.now() + TURN_MS
    const now = deps.clock.now()
    const all = await deps.environments.listErasures()
    for (const id of idleUntil.keys()) if (!all.includes(id)) idleUntil.delete(id)
    let due = all.filter((id) => (idleUntil.get(id) ?? 0) <= now)
    // Environments take turns step by step, so that a large one does not delay the others.
    while (due.length > 0 && performance.now() < endMs) {
      const left: number[] = []
      for (const id of due) {
        const startedMs = performance.now()
        if ((await deps.environments.eraseStep(id, now)) === 'more') left.push(id)
        else await settle(id, now)
        await rest((performance.now() - startedMs) * REST_FACTOR)
      }
      due = left
    }
  }

  async function settle(id: number, now: number): Promise<void> {
    idleUntil.set(id, now + IDLE_MS)
    await deps.sweepMailFiles()
  }
}
