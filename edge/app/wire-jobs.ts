// What works off what waits in the store, wired: jobs, and the timers of runs.

import { createHandlers } from '../jobs/handlers.ts'
import { createPausedJobs } from '../jobs/paused-jobs.ts'
import { createPausedWaits } from '../jobs/paused-waits.ts'
import { createTimers } from '../jobs/timers.ts'
import { createWorker } from '../jobs/worker.ts'
import type { Core } from './core.ts'
import type { Flows } from './wire-flows.ts'

export interface JobsAndTimers {
  start(): void
  wakeJobs(): void
  wakeTimers(dueAt: number): void
  /** Begins nothing more; resolves when what runs has ended. */
  stop(): Promise<void>
}

/** While `isPaused` (the disk is full) nothing is begun. */
export function wireJobs(core: Core, flows: Flows, isPaused: () => boolean): JobsAndTimers {
  const { stores, bus, clock, log, metrics } = core
  const { leases } = stores
  const handlers = createHandlers({ fanOut: flows.fanOut, rouseWaits: flows.rouseWaits })
  const jobs = createPausedJobs(stores.jobs, isPaused)
  const worker = createWorker({ jobs, leases, handlers, clock, log, onJob: metrics.onJob })
  const waits = createPausedWaits(stores.waits, isPaused)
  const timers = createTimers({ waits, leases, ...flows.resumeRuns, clock, log })
  let unsubscribe = () => {}
  return {
    start() {
      worker.start()
      timers.start()
      // Its job is written with the change: by another node, or by the command line.
      unsubscribe = bus.subscribe('campaigns-changed', worker.wake)
    },
    wakeJobs: worker.wake,
    wakeTimers: timers.wakeBy,
    async stop() {
      unsubscribe()
      await Promise.all([worker.stop(), timers.stop()])
    },
  }
}
