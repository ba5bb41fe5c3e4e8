// Wakes runs whose time has come: claims due waits many at a time, in their order and at a bounded rate (contract section 6).
// Apart from the worker of jobs, so that no fan-out keeps a timer waiting.

import { LEASE_MS, type Leases } from '../domain/job.ts'
import type { ClaimedWait, RunWaits } from '../domain/run/run-wait.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createAlarm } from './alarm.ts'
import { createRenewals, type Renewals } from './renewals.ts'

export interface TimersOptions {
  /** Waits that are claimed together. */
  batchWaits?: number
  /** Waits under way; nothing more is claimed meanwhile. */
  keptWaits?: number
  /** Not renewed for so long, a wait may be claimed again: who had it is taken for dead. */
  leaseMs?: number
  /** What is claimed in a second at most: what fell due while nothing ran must not push the rest aside. */
  perSecond?: number
}

export interface TimersDeps extends TimersOptions {
  waits: Pick<RunWaits, 'claim' | 'nextDueInMs'>
  leases: Pick<Leases, 'renewWaits'>
  /** Never rejects. */
  resume(claimed: ClaimedWait[]): Promise<void>
  /** Resolves when what went on behind it has ended. */
  settled(): Promise<void>
  /** What of it has not ended. */
  underWay(): Iterable<ClaimedWait>
  clock: Clock
  log: Log
}

export interface Timers {
  start(): void
  /** A plan wrote a wait that is due then: look in time. */
  wakeBy(dueAt: number): void
  /** Claims nothing more; resolves when all that was claimed has its end. */
  stop(): Promise<void>
}

/** Other nodes write waits too, and may be gone before their time: the longest sleep is bounded. */
const LONGEST_SLEEP_MS = 5000
const STORE_FAULT_SLEEP_MS = 1000

export function createTimers(deps: TimersDeps): Timers {
  const { waits, clock, log, batchWaits = 500, keptWaits = 1000, leaseMs = LEASE_MS, perSecond = 10_000 } = deps
  const underWay = new Set<Promise<void>>()
  const alarm = createAlarm()
  const renewals = renewalsOf(deps, leaseMs)
  let kept = 0
  /** Nothing more is claimed before (by the process's own clock: the other may be set). */
  let nextClaimAt = 0
  /** Until when it sleeps unless it is woken (epoch ms). */
  let asleepUntil = 0
  let isStopping = false
  let loop: Promise<void> | undefined

  function resume(claimed: ClaimedWait[]): void {
    kept += claimed.length
    const done = deps.resume(claimed).finally(() => {
      kept -= claimed.length
      underWay.delete(done)
      alarm.ring()
    })
    underWay.add(done)
  }

  /** Claims what there is room for; answers how long to sleep. */
  async function look(): Promise<number> {
    if (kept + batchWaits > keptWaits) return LONGEST_SLEEP_MS
    // A batch that has ended rings, too: the rate holds all the same.
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
      alarm.arm()
      const sleepMs = await look().catch((error) => {
        log.error('Waits of runs could not be claimed.', { error })
        return STORE_FAULT_SLEEP_MS
      })
      asleepUntil = clock.now() + sleepMs
      await alarm.wait(sleepMs)
      asleepUntil = 0
    }
  }

  return {
    start() {
      renewals.start()
      loop ??= work()
    },
    wakeBy(dueAt) {
      if (dueAt < asleepUntil || asleepUntil === 0) alarm.ring()
    },
    async stop() {
      isStopping = true
      alarm.ring()
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
