// Runs due jobs, each under its lease, and tries those that failed again after growing pauses.

import type { Core } from '../domain/core.ts'
import { findReasonToGiveUp, MAX_ATTEMPTS } from '../domain/given-up.ts'
import type { Job, JobClaim } from '../domain/job.ts'
import { isUnavailable } from '../lib/api-error.ts'
import { createClaimLoop } from './claim-loop.ts'

/**
 * `complete`: the worker completes the job; `go-on`: a part is done, and other jobs may run before the next one, which
 * `goOnAt` (epoch ms) delays; undefined: the plan of the handler has completed it in its transaction.
 */
export type JobHandler = (job: Job) => Promise<'complete' | 'go-on' | { goOnAt: number } | undefined>

export interface WorkerOptions {
  /** Jobs that run at a time. */
  concurrency?: number
  /** Without renewal for this long, a job may be claimed again: its worker is considered dead. */
  leaseMs?: number
  /** After this many attempts a job is dead: it stays in the store with its last error. */
  maxAttempts?: number
}

type Taken = WorkerOptions &
  Pick<Core, 'jobs' | 'leases' | 'clock' | 'log'> & {
    /** Handlers by kind. Jobs of other kinds are not claimed: a newer node may have written them. */
    handlers: Readonly<Record<string, JobHandler>>
    /** The kinds that evaluate what customers wrote, and may therefore end the process. */
    evaluating: readonly string[]
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
const ERROR_CHARS = 500

/** Creates the loop without starting it. An error of the store is logged, and the claim repeated after a second. */
export function createWorker(deps: Taken): Worker {
  const { jobs, leases, clock, log, evaluating, concurrency = 4, leaseMs } = deps
  const kinds = Object.keys(deps.handlers)
  const running = new Set<Job>()
  const loop = createClaimLoop<Job>({
    noun: 'jobs',
    store: {
      claim: (now, leaseMs, limit) => jobs.claim(now, leaseMs, limit, kinds),
      nextDueInMs: (now) => jobs.nextDueInMs(now, kinds),
    },
    renew: (held, now, leaseMs) => leases.renewJobs(held.map(toClaim), now, leaseMs),
    async handle(claimed, onEnd) {
      const run = async (job: Job) => {
        running.add(job)
        await runJob(deps, job)
        running.delete(job)
        onEnd(job)
      }
      await Promise.all(claimed.map(run))
    },
    settled: async () => {},
    underWay: () => running,
    isSuspect: ({ kind, attempts, crashes }) => evaluating.includes(kind) && (attempts > 1 || crashes > 0),
    clock,
    log,
    batch: concurrency,
    kept: concurrency,
    least: 1,
    ...(leaseMs === undefined ? {} : { leaseMs }),
  })
  return { start: loop.start, poll: () => loop.pollBy(0), stop: loop.stop }
}

async function runJob(deps: Taken, job: Job): Promise<void> {
  const claim = toClaim(job)
  try {
    const hopeless = findReasonToGiveUp(job, deps.maxAttempts)
    if (hopeless !== undefined) return await giveUp(deps, job, new Error(hopeless))
    const handler = deps.handlers[job.kind]
    if (handler === undefined) throw new Error(`job kind without a handler: ${job.kind}`)
    const end = await handler(job)
    if (end === 'complete') await deps.jobs.complete(claim)
    if (end === 'go-on') await deps.jobs.goOn(claim, deps.clock.now())
    else if (typeof end === 'object') await deps.jobs.goOn(claim, end.goOnAt)
    deps.onJob?.(job.kind, 'done')
  } catch (error) {
    const retryAt = nextTry(deps, job, error)
    if (retryAt === null) return giveUp(deps, job, error)
    deps.onJob?.(job.kind, 'retried')
    deps.log.warn('job failed', { ...aboutOf(job), error })
    await fail(deps, job, error, retryAt)
  }
}

async function giveUp(deps: Taken, job: Job, error: unknown): Promise<void> {
  deps.onJob?.(job.kind, 'dead')
  deps.log.error('job dead', { ...aboutOf(job), error })
  await fail(deps, job, error, null)
}

/** When this fails, too, the lease ends and the job becomes due again. */
async function fail({ jobs, clock, log }: Taken, job: Job, error: unknown, retryAt: number | null): Promise<void> {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARS)
  await jobs
    .fail(toClaim(job), { error: text, now: clock.now(), retryAt, isCounted: !isUnavailable(error) })
    .catch((cause) => log.error('failed job not returned to the queue', { ...aboutOf(job), error: cause }))
}

const aboutOf = ({ id, kind, attempts }: Job) => ({ jobId: id, kind, attempt: attempts })

const toClaim = ({ environmentId, id, fence }: Job): JobClaim => ({ environmentId, id, fence })

/** Doubles the pause each time. @returns Null when no attempt is left; an unavailable store uses up no job. */
function nextTry({ clock, maxAttempts = MAX_ATTEMPTS }: Taken, { attempts }: Job, error: unknown): number | null {
  if (attempts >= maxAttempts && !isUnavailable(error)) return null
  return clock.now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
}
