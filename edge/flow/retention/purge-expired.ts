// Removes what is older than its organisation's retention, in small steps so that tracking continues.

import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '../../domain/core.ts'
import type { PurgeStep } from '../../domain/organisation.ts'
import { isClosed } from '../../domain/tenant/closed.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Limits retention to one part in five of the writer's time. */
const REST_FACTOR = 4
/** Limits a turn, because stopping the service waits for its end. */
const TURN_MS = 1000
/** Pause after a turn that found nothing old enough. */
const IDLE_MS = 10 * 60 * 1000

type Taken = Pick<Core, 'organisations' | 'environments' | 'clock'> & {
  /** Commits one step and publishes what it changed. */
  purgeStep(environmentId: number, before: number): Promise<Pick<PurgeStep, 'rows'>>
  /** Removes the files of mails whose rows are gone. */
  sweepMailFiles(): Promise<unknown>
  /** Pauses between two steps; tests need not wait. */
  rest?(ms: number): Promise<unknown>
}

/** Counts of removed messages, runs and tracked events. */
export interface PurgeReport {
  rows: number
  steps: number
  /** True when nothing old enough is left. */
  done: boolean
}

export interface PurgeExpired {
  /** Runs until nothing is old enough, or until `untilMs` (of `performance.now()`). Also used by `nc retention run`. */
  run(untilMs?: number): Promise<PurgeReport>
  /** Runs one turn of the schedule: a second at most, and nothing while nothing can be old enough. */
  turn(): Promise<PurgeReport>
}

/** Safe to interrupt: each step is a transaction that depends on stored data only. */
export function createPurgeExpired(deps: Taken): PurgeExpired {
  const rest = deps.rest ?? ((ms: number) => delay(ms))
  let idleUntil = 0

  async function run(untilMs?: number): Promise<PurgeReport> {
    const report = await purge(untilMs)
    if (report.rows > 0) await deps.sweepMailFiles()
    return report
  }

  async function purge(untilMs = Number.POSITIVE_INFINITY): Promise<PurgeReport> {
    const report: PurgeReport = { rows: 0, steps: 0, done: true }
    let due = await listDue(deps)
    // Environments take turns step by step, so that a large one does not delay the others.
    while (due.length > 0) {
      const left: typeof due = []
      for (const one of due) {
        if (performance.now() >= untilMs) return { ...report, done: false }
        const startedMs = performance.now()
        const { rows } = await deps.purgeStep(one.environmentId, one.before)
        if (rows === 0) continue
        report.rows += rows
        report.steps++
        left.push(one)
        await rest((performance.now() - startedMs) * REST_FACTOR)
      }
      due = left
    }
    return report
  }

  return {
    run,
    async turn() {
      if (deps.clock.now() < idleUntil) return { rows: 0, steps: 0, done: true }
      const report = await run(performance.now() + TURN_MS)
      if (report.done) idleUntil = deps.clock.now() + IDLE_MS
      return report
    },
  }
}

async function listDue(deps: Taken): Promise<{ environmentId: number; before: number }[]> {
  const due: { environmentId: number; before: number }[] = []
  for (const { id, retentionDays } of await deps.organisations.list()) {
    const before = deps.clock.now() - retentionDays * DAY_MS
    for (const environment of await deps.environments.list(id)) {
      if (!isClosed(environment)) due.push({ environmentId: environment.id, before })
    }
  }
  return due
}
