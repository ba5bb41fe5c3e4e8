// Wires the background work of the store: jobs, and the timers of runs.

import type { ClaimedWait } from '../domain/run/run-wait.ts'
import { createClaimLoop } from '../jobs/claim-loop.ts'
import { pauseClaims } from '../jobs/paused.ts'
import { createWorker } from '../jobs/worker.ts'
import type { Core } from './core.ts'
import type { Flows } from './wire-flows.ts'

export interface JobsAndTimers {
  start(): void
  pollJobs(): void
  scheduleTimers(dueAt: number): void
  /** Starts no more work. Resolves when the running work has ended. */
  stop(): Promise<void>
}

/** @param isPaused While true (the disk is nearly full), no work is started. */
export function wireJobs(core: Core, flows: Flows, isPaused: () => boolean): JobsAndTimers {
  const { stores, bus, clock, log, metrics } = core
  const { leases } = stores
  // The only list of the kinds of jobs.
  const handlers = { 'fan-out': flows.fanOut, 'rouse-waits': flows.releaseWaits }
  const jobs = { ...stores.jobs, ...pauseClaims(stores.jobs, isPaused) }
  const worker = createWorker({ jobs, leases, handlers, clock, log, onJob: metrics.onJob })
  const { resume, settled, underWay } = flows.resumeRuns
  const timers = createClaimLoop({
    noun: 'run waits',
    store: pauseClaims(stores.waits, isPaused),
    renew: (waits, now, leaseMs) => leases.renewWaits(waits.map(toClaim), now, leaseMs),
    handle: resume,
    settled,
    underWay,
    clock,
    log,
  })
  let unsubscribe = () => {}
  return {
    start() {
      worker.start()
      timers.start()
      // The job of a change is written by another node or by the command line, so this worker must look for it.
      unsubscribe = bus.subscribe('campaigns-changed', worker.poll)
    },
    pollJobs: worker.poll,
    scheduleTimers: timers.pollBy,
    async stop() {
      unsubscribe()
      await Promise.all([worker.stop(), timers.stop()])
    },
  }
}

const toClaim = ({ runId, fence }: ClaimedWait) => ({ runId, fence })
