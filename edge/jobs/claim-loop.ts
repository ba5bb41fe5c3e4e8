// Claims due work of one kind (jobs, waits of runs, mails) in batches, in their order and at a bounded rate.
// Each kind has a loop of its own, so that no fan-out delays a timer or a mail.

import { LEASE_MS } from '../domain/lease.ts'
import type { Clock } from '../lib/clock.ts'
import { type Log, logFault } from '../lib/log.ts'
import { createInterruptibleSleep } from './interruptible-sleep.ts'
import { createRenewals } from './renewals.ts'

export interface ClaimLoopOptions {
  /** Claimed together. */
  batch?: number
  /** Limit of work in progress. */
  kept?: number
  /** Nothing is claimed while fewer than these would fit; absent: a batch. */
  least?: number
  /** Without renewal for this long, work may be claimed again: its process is considered dead. */
  leaseMs?: number
  /** Largest number of claims per second: a backlog after a downtime must not starve other work. */
  perSecond?: number
}

/** A claim that may end the process: `crashes` of it did. */
interface Crashed {
  crashes: number
}

export interface ClaimLoopDeps<Claim> extends ClaimLoopOptions {
  /** Of the work, for the log: `mails`. */
  noun: string
  store: {
    claim(now: number, leaseMs: number, limit: number): Promise<Claim[]>
    /** Null: nothing is stored. */
    nextDueInMs(now: number): Promise<number | null>
  }
  renew(claims: Claim[], now: number, leaseMs: number): Promise<void>
  /** May call `onEnd` for each claim, where the others of its batch take longer. Never rejects. */
  handle(claimed: Claim[], onEnd: (claim: Claim) => void): Promise<void>
  /** Resolves when the work that continues after `handle` has ended. */
  settled(): Promise<void>
  /** The work in progress. */
  underWay(): Iterable<Claim>
  /** Called when the loop stops, before its work has ended. */
  onStop?(): void
  /** How many claims this one counts for, where one may hold much in memory; absent: each counts for one. */
  weigh?(claim: Claim): number
  /** Whether a process may have ended while it handled the claim: it is handled after all others, and before the next ones. */
  isSuspect(claim: Claim): boolean
  clock: Clock
  log: Log
}

export interface ClaimLoop {
  start(): void
  /** Call it when work due at `dueAt` was written (epoch milliseconds): the loop checks in time. */
  pollBy(dueAt: number): void
  /** Claims nothing more; resolves when all claimed work has ended. */
  stop(): Promise<void>
}

/** The longest sleep is bounded, as other nodes write work too, and may stop before they are due. */
const LONGEST_SLEEP_MS = 5000
const STORE_FAULT_SLEEP_MS = 1000

/** Creates the loop without starting it. An error of the store is logged, and the claim repeated after a second. */
export function createClaimLoop<Claim extends Crashed>(deps: ClaimLoopDeps<Claim>): ClaimLoop {
  const { store, clock, log, noun, batch = 500, kept: most = 1000, leaseMs = LEASE_MS, perSecond = 10_000 } = deps
  const { least = batch } = deps
  const underWay = new Set<Promise<void>>()
  const idle = createInterruptibleSleep()
  const renew = (claims: Claim[]) => deps.renew(claims, clock.now(), leaseMs)
  /** Suspects that wait for their turn. */
  const waiting = new Set<Claim>()
  const held = () => [...deps.underWay(), ...waiting]
  const renewals = createRenewals({ underWay: held, renew, leaseMs, log })
  let kept = 0
  /** Nothing is claimed before this time of the monotonic clock; the system clock may be set. */
  let nextClaimAt = 0
  /** End of the current sleep unless interrupted (epoch milliseconds); 0: not asleep. */
  let asleepUntil = 0
  let isStopping = false
  let loop: Promise<void> | undefined

  const isFull = () => kept + least > most

  function handle(claimed: Claim[]): void {
    const weights = new Map(claimed.map((claim) => [claim, deps.weigh?.(claim) ?? 1]))
    for (const weight of weights.values()) kept += weight
    const onEnd = (claim: Claim) => {
      const wasFull = isFull()
      kept -= weights.get(claim) ?? 0
      weights.delete(claim)
      if (wasFull && !isFull()) idle.interrupt()
    }
    const done = deps.handle(claimed, onEnd).finally(() => {
      for (const claim of weights.keys()) onEnd(claim)
      underWay.delete(done)
      idle.interrupt()
    })
    underWay.add(done)
  }

  /** Handles suspects one at a time, so that they interrupt no other work when they end the process. */
  async function handleAlone(suspects: Claim[]): Promise<void> {
    for (const one of suspects) waiting.add(one)
    for (const one of suspects) {
      await restOf(one)
      waiting.delete(one)
      handle([one])
      await restOf(one)
    }
  }

  /** Resolves when nothing is in progress; what only waits for somebody else, such as an enricher, matters to a crash. */
  async function restOf({ crashes }: Claim): Promise<void> {
    await Promise.all(underWay)
    if (crashes > 0) await deps.settled()
  }

  /** Claims as much as fits. @returns Milliseconds to sleep. */
  async function claimDue(): Promise<number> {
    if (isFull()) return LONGEST_SLEEP_MS
    // The end of a batch interrupts the sleep, too; the rate applies all the same.
    const earlyMs = nextClaimAt - performance.now()
    if (earlyMs > 0) return Math.ceil(earlyMs)
    const limit = Math.min(batch, Math.floor(most - kept))
    const claimed = await store.claim(clock.now(), leaseMs, limit)
    const others = claimed.filter((claim) => !deps.isSuspect(claim))
    if (others.length > 0) handle(others)
    await handleAlone(claimed.filter(deps.isSuspect))
    nextClaimAt = performance.now() + (claimed.length * 1000) / perSecond
    if (claimed.length === limit) return nextClaimAt - performance.now()
    const nextInMs = await store.nextDueInMs(clock.now())
    return nextInMs === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, nextInMs))
  }

  /** Logs only the first of several failures: an outage of an hour must not cause thousands of lines. */
  let isFailing = false
  async function claimOrLog(): Promise<number> {
    try {
      const sleepMs = await claimDue()
      if (isFailing) log.info(`${noun} claimed again`)
      isFailing = false
      return sleepMs
    } catch (error) {
      if (!isFailing) logFault(log, `${noun} not claimed`, { error })
      isFailing = true
      return STORE_FAULT_SLEEP_MS
    }
  }

  async function work(): Promise<void> {
    while (!isStopping) {
      idle.reset()
      const sleepMs = await claimOrLog()
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
      deps.onStop?.()
      idle.interrupt()
      await loop
      await Promise.all(underWay)
      await deps.settled()
      renewals.stop()
    },
  }
}
