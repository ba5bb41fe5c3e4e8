// Runs due jobs: claims them under a lease, retries with growing pauses, stops when what it began is done (house section 3).

import { type Job, type JobClaim, type Jobs, LEASE_MS, type Leases } from '../domain/job.ts'
import { isUnavailable } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createAlarm } from './alarm.ts'
import { createRenewals } from './renewals.ts'

/** `complete`: the worker ends the job; otherwise the handler's own plan has, in its transaction. */
export type JobHandler = (job: Job) => Promise<'complete' | undefined>

export interface WorkerOptions {
  /** Jobs that run at a time. */
  concurrency?: number
  /** Not renewed for so long, a job may be claimed again: its worker is taken for dead. */
  leaseMs?: number
  /** A job that failed so often is dead: it stays in the store with its last error. */
  maxAttempts?: number
}

export interface WorkerDeps extends WorkerOptions {
  jobs: Jobs
  leases: Pick<Leases, 'renewJobs'>
  /** By kind. Jobs of others are left alone: a newer node, that knows them, may have written them. */
  handlers: Readonly<Record<string, JobHandler>>
  clock: Clock
  log: Log
  /** For the metrics: what became of an attempt. */
  onJob?: (kind: string, result: 'done' | 'retried' | 'dead') => void
}

export interface Worker {
  start(): void
  /** A plan wrote jobs: look at once. */
  wake(): void
  /** Claims nothing more; resolves when all that runs has ended. */
  stop(): Promise<void>
}

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 5 * 60_000
/** Other nodes write jobs too, and may be gone before they have done them: the longest sleep is bounded. */
const LONGEST_SLEEP_MS = 5000
const STORE_FAULT_SLEEP_MS = 1000
const ERROR_CHARS = 500

export function createWorker(deps: WorkerDeps): Worker {
  const { jobs, leases, clock, log, concurrency = 4, leaseMs = LEASE_MS } = deps
  const kinds = Object.keys(deps.handlers)
  const running = new Map<Job, Promise<void>>()
  const alarm = createAlarm()
  const underWay = () => running.keys()
  const renew = (held: Job[]) => leases.renewJobs(held.map(toClaim), clock.now(), leaseMs)
  const renewals = createRenewals({ underWay, renew, leaseMs, log })
  let isStopping = false
  let loop: Promise<void> | undefined

  function run(job: Job): void {
    const done = runJob(deps, job).finally(() => {
      running.delete(job)
      alarm.ring()
    })
    running.set(job, done)
  }

  /** Claims what there is room for; answers how long to sleep. */
  async function look(): Promise<number> {
    const room = concurrency - running.size
    if (room === 0) return LONGEST_SLEEP_MS
    const claimed = await jobs.claim(clock.now(), leaseMs, room, kinds)
    for (const job of claimed) run(job)
    // A full claim may not be all: with room left there is nothing due now.
    if (claimed.length === room) return LONGEST_SLEEP_MS
    const nextInMs = await jobs.nextDueInMs(clock.now(), kinds)
    return nextInMs === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, nextInMs))
  }

  async function work(): Promise<void> {
    while (!isStopping) {
      alarm.arm()
      const sleepMs = await look().catch((error) => {
        log.error('Jobs could not be claimed.', { error })
        return STORE_FAULT_SLEEP_MS
      })
      await alarm.wait(sleepMs)
    }
  }

  return {
    start() {
      renewals.start()
      loop ??= work()
    },
    wake: alarm.ring,
    async stop() {
      isStopping = true
      alarm.ring()
      await loop
      await Promise.all(running.values())
      renewals.stop()
    },
  }
}

async function runJob(deps: WorkerDeps, job: Job): Promise<void> {
  const claim = toClaim(job)
  const about = { jobId: job.id, kind: job.kind, attempt: job.attempts }
  try {
    const handler = deps.handlers[job.kind]
    if (handler === undefined) throw new Error(`Nobody asked for jobs of kind "${job.kind}".`)
    if ((await handler(job)) === 'complete') await deps.jobs.complete(claim)
    deps.onJob?.(job.kind, 'done')
  } catch (error) {
    const retryAt = nextTry(deps, job, error)
    deps.onJob?.(job.kind, retryAt === null ? 'dead' : 'retried')
    deps.log[retryAt === null ? 'error' : 'warn'](retryAt === null ? 'A job is dead.' : 'A job failed.', {
      ...about,
      error,
    })
    const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
    // When even that fails the lease runs out, and the job comes back by itself.
    await deps.jobs
      .fail(claim, text, retryAt)
      .catch((cause) => deps.log.error('A failed job could not be put back.', { ...about, error: cause }))
  }
}

const toClaim = ({ id, fence }: Job): JobClaim => ({ id, fence })

/** Twice the pause each time; null when the job had all its attempts. A store that takes nothing for hours ends none. */
function nextTry({ clock, maxAttempts = 10 }: WorkerDeps, { attempts }: Job, error: unknown): number | null {
  if (attempts >= maxAttempts && !isUnavailable(error)) return null
  return clock.now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
}
