// Retention: removes what is older than its organisation keeps, in small steps that leave tracking its turn (contract section 7).

import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../../domain/bus.ts'
import { toPushedFrame } from '../../domain/delivery/pushed-frame.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Organisation, Retention } from '../../domain/organisation.ts'
import type { Clock } from '../../lib/clock.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Of the writer's time, retention takes one part in five at most. */
const REST_FACTOR = 4
/** How long a turn may go on: whoever stops the service waits for its end. */
const TURN_MS = 1000
/** Once nothing was old enough, it is looked again after this. */
const IDLE_MS = 10 * 60 * 1000

export interface PurgeExpiredDeps {
  retention: Pick<Retention, 'purgeStep'>
  organisations: { list(): Promise<Pick<Organisation, 'id' | 'retentionDays'>[]> }
  environments: { list(organisationId: number): Promise<Pick<Environment, 'id'>[]> }
  bus: Pick<Bus, 'publish'>
  clock: Clock
  /** Between two steps; tests need not wait. */
  rest?(ms: number): Promise<unknown>
}

/** What a run removed: messages, runs and tracked events. */
export interface PurgeReport {
  rows: number
  steps: number
  /** Whether nothing is left that is old enough. */
  done: boolean
}

export interface PurgeExpired {
  /** Goes on until nothing is old enough, or `untilMs` (monotonic, of `performance.now()`). For `nc retention run`, too. */
  run(untilMs?: number): Promise<PurgeReport>
  /** One turn of the schedule: a second of work at most, and none while nothing can have become old enough. */
  turn(): Promise<PurgeReport>
}

/** Interrupted at any moment it goes on at the next call: each step is a transaction, and knows only what is stored. */
export function createPurgeExpired(deps: PurgeExpiredDeps): PurgeExpired {
  const rest = deps.rest ?? ((ms: number) => delay(ms))
  let idleUntil = 0

  async function run(untilMs = Number.POSITIVE_INFINITY): Promise<PurgeReport> {
    const report: PurgeReport = { rows: 0, steps: 0, done: true }
    let due = await listDue(deps)
    // A step for each environment in turn, so that a large one keeps no other waiting.
    while (due.length > 0) {
      const left: typeof due = []
      for (const one of due) {
        if (performance.now() >= untilMs) return { ...report, done: false }
        const startedMs = performance.now()
        const { rows, pushes } = await deps.retention.purgeStep(one.environmentId, one.before)
        for (const push of pushes) deps.bus.publish('inbox-pushed', toPushedFrame(push, []))
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

async function listDue(deps: PurgeExpiredDeps): Promise<{ environmentId: number; before: number }[]> {
  const due: { environmentId: number; before: number }[] = []
  for (const { id, retentionDays } of await deps.organisations.list()) {
    const before = deps.clock.now() - retentionDays * DAY_MS
    for (const environment of await deps.environments.list(id)) due.push({ environmentId: environment.id, before })
  }
  return due
}
