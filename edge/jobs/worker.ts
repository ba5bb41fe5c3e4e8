// Runs due jobs: claims them under a lease, retries with growing pauses, and finishes running jobs before it stops.

import { findReasonToGiveUp, MAX_ATTEMPTS } from '../domain/given-up.ts'
import type { Job, JobClaim, Jobs } from '../domain/job.ts'
import { LEASE_MS, type Leases } from '../domain/lease.ts'
import { isUnavailable } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createInterruptibleSleep } from './interruptible-sleep.ts'
import { createRenewals } from './renewals.ts'

/**
 * `complete`: the worker completes the job; `go-on`: a part is done, and other jobs may run before the next one; undefined:
 * the plan of the handler has completed it in its transaction.
 */
export type JobHandler = (job: Job) => Promise<'complete' | 'go-on' | undefined>

export interface WorkerOptions {
  /** Jobs that run at a time. */
  concurrency?: number
  /** Without renewal for this long, a job may be claimed again: its worker is considered dead. */
  leaseMs?: number
  /** After this many attempts a job is dead: it stays in the store with its last error. */
  maxAttempts?: number
}

export interface WorkerDeps extends WorkerOptions {
  jobs: Jobs
  leases: Pick<Leases, 'renewJobs'>
  /** Handlers by kind. Jobs of other kinds are not claimed: a newer node may have written them. */
  handlers: Readonly<Record<string, JobHandler>>
  /** The kinds that evaluate what customers wrote, and may therefore end the process. */
  evaluating: readonly string[]
  clock: Clock
  log: Log
  /** Receives the result of an attempt, for the metrics. */
  onJob?: (kind: string, result: 'done' | 'retried' | 'dead') => void
}

export interface Worker {
  start(): void
  /** Call it when a plan wrote jobs: the loop checks at once. */
  poll(): void
  /** Claims nothing more; resolves when all running jobs have ended. */
  stop(): Promise<void>
}

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 5 * 60_000
/** The longest sleep is bounded, as other nodes write jobs too, and may stop before they have run them. */
const LONGEST_SLEEP_MS = 5000
const STORE_FAULT_SLEEP_MS = 1000
const ERROR_CHARS = 500

/** Creates the loop without starting it. An error of the store is logged, and the claim repeated after a second. */
export function createWorker(deps: WorkerDeps): Worker {
  const { jobs, leases, clock, log, evaluating, concurrency = 4, leaseMs = LEASE_MS } = deps
  const isSuspect = ({ kind, attempts, crashes }: Job) => evaluating.includes(kind) && (attempts > 1 || crashes > 0)
  const kinds = Object.keys(deps.handlers)
  const running = new Map<Job, Promise<void>>()
  const idle = createInterruptibleSleep()
  const underWay = () => running.keys()
  const renew = (held: Job[]) => leases.renewJobs(held.map(toClaim), clock.now(), leaseMs)
  const renewals = createRenewals({ underWay, renew, leaseMs, log })
  let isStopping = false
  let loop: Promise<void> | undefined

  function run(job: Job): void {
    // A job that may end the process runs alone, so that it interrupts no other.
    const before = isSuspect(job) ? [...running.values()] : []
    const done = Promise.all(before)
      .then(() => runJob(deps, job))
      .finally(() => {
        running.delete(job)
        idle.interrupt()
      })
    running.set(job, done)
  }

  /** Claims as many jobs as may run. @returns Milliseconds to sleep. */
  async function claimDue(): Promise<number> {
    const free = concurrency - running.size
    if (free === 0 || [...running.keys()].some(isSuspect)) return LONGEST_SLEEP_MS
    const claimed = await jobs.claim(clock.now(), leaseMs, free, kinds)
    // One suspect at most, after all others.
    for (const job of claimed.filter((one) => !isSuspect(one))) run(job)
    for (const job of claimed.filter(isSuspect)) run(job)
    // The end of one of these jobs interrupts the sleep; a smaller claim means that nothing more is due now.
    if (claimed.length === free) return LONGEST_SLEEP_MS
    const nextInMs = await jobs.nextDueInMs(clock.now(), kinds)
    return nextInMs === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, nextInMs))
  }

  async function work(): Promise<void> {
    while (!isStopping) {
      idle.reset()
      const sleepMs = await claimDue().catch((error) => {
        log.error('jobs not claimed', { error })
        return STORE_FAULT_SLEEP_MS
      })
      await idle.sleep(sleepMs)
    }
  }

  return {
    start() {
      renewals.start()
      loop ??= work()
    },
    poll: idle.interrupt,
    async stop() {
      isStopping = true
      idle.interrupt()
      await loop
      await Promise.all(running.values())
      renewals.stop()
    },
  }
}

async function runJob(deps: WorkerDeps, job: Job): Promise<void> {
  const claim = toClaim(job)
  try {
    const hopeless = findReasonToGiveUp(job, deps.maxAttempts)
    if (hopeless !== undefined) return await giveUp(deps, job, new Error(hopeless))
    const handler = deps.handlers[job.kind]
    if (handler === undefined) throw new Error(`job kind without a handler: ${job.kind}`)
    const end = await handler(job)
    if (end === 'complete') await deps.jobs.complete(claim)
    if (end === 'go-on') await deps.jobs.goOn(claim, deps.clock.now())
    deps.onJob?.(job.kind, 'done')
  } catch (error) {
    const retryAt = nextTry(deps, job, error)
    if (retryAt === null) return giveUp(deps, job, error)
    deps.onJob?.(job.kind, 'retried')
    deps.log.warn('job failed', { ...aboutOf(job), error })
    await fail(deps, job, error, retryAt)
  }
}

async function giveUp(deps: WorkerDeps, job: Job, error: unknown): Promise<void> {
  deps.onJob?.(job.kind, 'dead')
  deps.log.error('job dead', { ...aboutOf(job), error })
  await fail(deps, job, error, null)
}

/** When this fails, too, the lease ends and the job becomes due again. */
async function fail({ jobs, clock, log }: WorkerDeps, job: Job, error: unknown, retryAt: number | null): Promise<void> {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
  await jobs
    .fail(toClaim(job), { error: text, now: clock.now(), retryAt, isCounted: !isUnavailable(error) })
    .catch((cause) => log.error('failed job not returned to the queue', { ...aboutOf(job), error: cause }))
}

const aboutOf = ({ id, kind, attempts }: Job) => ({ jobId: id, kind, attempt: attempts })

const toClaim = ({ id, fence }: Job): JobClaim => ({ id, fence })

/** Doubles the pause each time. @returns Null when no attempt is left; an unavailable store uses up no job. */
function nextTry({ clock, maxAttempts = MAX_ATTEMPTS }: WorkerDeps, { attempts }: Job, error: unknown): number | null {
  if (attempts >= maxAttempts && !isUnavailable(error)) return null
  return clock.now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
}
