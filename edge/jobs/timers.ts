// Resumes runs whose wait is due: claims due waits in batches, in their order and at a bounded rate.
// Separate from the worker of jobs, so that no fan-out delays a timer.

import { LEASE_MS, type Leases } from '../domain/lease.ts'
import type { ClaimedWait, RunWaits } from '../domain/run/run-wait.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createInterruptibleSleep } from './interruptible-sleep.ts'
import { createRenewals, type Renewals } from './renewals.ts'

export interface TimersOptions {
  /** Waits claimed together. */
  batchWaits?: number
  /** Limit of waits in progress; no batch is claimed beyond it. */
  keptWaits?: number
  /** Without renewal for this long, a wait may be claimed again: its process is considered dead. */
  leaseMs?: number
  /** Largest number of claims per second: a backlog after a downtime must not starve other work. */
  perSecond?: number
}

export interface TimersDeps extends TimersOptions {
  waits: Pick<RunWaits, 'claim' | 'nextDueInMs'>
  leases: Pick<Leases, 'renewWaits'>
  /** Never rejects. */
  resume(claimed: ClaimedWait[]): Promise<void>
  /** Resolves when the work that continues after `resume` has ended. */
  settled(): Promise<void>
  /** The waits in progress. */
  underWay(): Iterable<ClaimedWait>
  clock: Clock
  log: Log
}

export interface Timers {
  start(): void
  /** Call it when a plan wrote a wait due at `dueAt` (epoch milliseconds): the loop checks in time. */
  pollBy(dueAt: number): void
  /** Claims nothing more; resolves when all claimed waits have ended. */
  stop(): Promise<void>
}

/** The longest sleep is bounded, as other nodes write waits too, and may stop before they are due. */
const LONGEST_SLEEP_MS = 5000
const STORE_FAULT_SLEEP_MS = 1000

/** Creates the loop without starting it. An error of the store is logged, and the claim repeated after a second. */
export function createTimers(deps: TimersDeps): Timers {
  const { waits, clock, log, batchWaits = 500, keptWaits = 1000, leaseMs = LEASE_MS, perSecond = 10_000 } = deps
  const underWay = new Set<Promise<void>>()
  const idle = createInterruptibleSleep()
  const renewals = renewalsOf(deps, leaseMs)
  let kept = 0
  /** Nothing is claimed before this time of the monotonic clock; the system clock may be set. */
  let nextClaimAt = 0
  /** End of the current sleep unless interrupted (epoch milliseconds); 0: not asleep. */
  let asleepUntil = 0
  let isStopping = false
  let loop: Promise<void> | undefined

  function resume(claimed: ClaimedWait[]): void {
    kept += claimed.length
    const done = deps.resume(claimed).finally(() => {
      kept -= claimed.length
      underWay.delete(done)
      idle.interrupt()
    })
    underWay.add(done)
  }

  /** Claims as many waits as fit. @returns Milliseconds to sleep. */
  async function claimDue(): Promise<number> {
    if (kept + batchWaits > keptWaits) return LONGEST_SLEEP_MS
    // The end of a batch interrupts the sleep, too; the rate applies all the same.
    const earlyMs = nextClaimAt - performance.now()
    if (earlyMs > 0) return Math.ceil(earlyMs)
    const claimed = await waits.claim(clock.now(), leaseMs, batchWaits)
    if (claimed.length > 0) resume(claimed)
    nextClaimAt = performance.now() + (claimed.length * 1000) / perSecond
    if (claimed.length === batchWaits) return nextClaimAt - performance.now()
    const nextInMs = await waits.nextDueInMs(clock.now())
    return nextInMs === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, nextInMs))
  }

  async function work(): Promise<void> {
    while (!isStopping) {
      idle.reset()
      const sleepMs = await claimDue().catch((error) => {
        log.error('run waits not claimed', { error })
        return STORE_FAULT_SLEEP_MS
      })
      asleepUntil = clock.now() + sleepMs
      await idle.sleep(sleepMs)
      asleepUntil = 0
    }
  }

  return {
    start() {
      renewals.start()
      loop ??= work()
    },
    pollBy(dueAt) {
      if (dueAt < asleepUntil || asleepUntil === 0) idle.interrupt()
    },
    async stop() {
      isStopping = true
      idle.interrupt()
      await loop
      await Promise.all(underWay)
      await deps.settled()
      renewals.stop()
    },
  }
}

function renewalsOf({ underWay, leases, clock, log }: TimersDeps, leaseMs: number): Renewals {
  const claimOf = ({ runId, fence }: ClaimedWait) => ({ runId, fence })
  const renew = (waits: ClaimedWait[]) => leases.renewWaits(waits.map(claimOf), clock.now(), leaseMs)
  return createRenewals({ underWay, renew, leaseMs, log })
}
