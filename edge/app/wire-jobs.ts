// Wires the background work of the store: jobs, the timers of runs, and mails.

import { REST_AFTER_START_MS } from '../domain/given-up.ts'
import type { Job } from '../domain/job.ts'
import type { ClaimedMail } from '../domain/mail/mail.ts'
import { AGAIN } from '../flow/again/manage-again.ts'
import { RUN_DELIVERIES } from '../flow/connector/begin-run.ts'
import type { RunDeliveries } from '../flow/connector/run-deliveries.ts'
import type { SendMails } from '../flow/mail/send-mails.ts'
import { toClaim } from '../flow/resume/resume-runs.ts'
import { createClaimLoop } from '../jobs/claim-loop.ts'
import { pauseClaims } from '../jobs/paused.ts'
import { restAfterStart } from '../jobs/rest-after-start.ts'
import { createWorker } from '../jobs/worker.ts'
import type { AppCore } from './core.ts'
import type { Flows } from './wire-flows.ts'

/** Mails are claimed in small portions, because their providers take longer than the store. */
const MAILS_CLAIMED = 50
const MAILS_KEPT = 500

/** Jobs that evaluate what customers wrote. */
const EVALUATING = ['fan-out', RUN_DELIVERIES, AGAIN]

export interface JobsAndTimers {
  start(): void
  pollJobs(): void
  scheduleTimers(dueAt: number): void
  scheduleMails(dueAt: number): void
  /** Starts no more work. Resolves when the running work has ended. */
  stop(): Promise<void>
}

/** A wait whose state is so much longer counts for one claim more: a thousand of them are 8 MiB. */
const CHARS_PER_CLAIM = 8192

/** @param isPaused While true (the disk is nearly full), no work is started. */
export function wireJobs(
  core: AppCore,
  flows: Flows,
  { sendMails, runDeliveries }: { sendMails: SendMails; runDeliveries: RunDeliveries },
  isPaused: () => boolean,
): JobsAndTimers {
  const { leases, waits, bus, clock, log, metrics } = core
  // The only list of the kinds of jobs.
  const handlers = {
    'fan-out': flows.fanOut,
    'rouse-waits': flows.releaseWaits,
    [RUN_DELIVERIES]: runDeliveries.part,
    [AGAIN]: flows.workAgain,
  }
  const restsUntil = clock.now() + REST_AFTER_START_MS
  const error = 'This process has only just started.'
  const putBack = async (claimed: Job[], retryAt: number) => {
    for (const { environmentId, id, fence } of claimed)
      await core.jobs.fail({ environmentId, id, fence }, { error, now: clock.now(), retryAt, isCounted: false })
  }
  const claim = restAfterStart(core.jobs.claim, restsUntil, putBack)
  const jobs = { ...core.jobs, ...pauseClaims({ ...core.jobs, claim }, isPaused) }
  const worker = createWorker({ ...core, jobs, handlers, evaluating: EVALUATING, onJob: metrics.onJob })
  const { resume, settled, underWay } = flows.resumeRuns
  const claimWaits = restAfterStart(waits.claim, restsUntil, (claimed, dueAt) =>
    waits.release(claimed.map(toClaim), dueAt, null),
  )
  const timers = createClaimLoop({
    noun: 'run waits',
    store: pauseClaims({ ...waits, claim: claimWaits }, isPaused),
    renew: (claimed, now, leaseMs) => leases.renewWaits(claimed.map(toClaim), now, leaseMs),
    handle: resume,
    settled,
    underWay,
    weigh: ({ stateChars }) => 1 + stateChars / CHARS_PER_CLAIM,
    isSuspect: ({ attempts, crashes }) => attempts > 1 || crashes > 0,
    clock,
    log,
  })
  const claimMails = restAfterStart(core.mails.claim, restsUntil, async (claimed, at) => {
    const now = clock.now()
    const change = { does: 'release', at } as const
    const released = claimed.map(({ environmentId, messageId, fence }) =>
      core.commitPlan({ kind: 'mail', environmentId, messageId, fence, now, change }),
    )
    await Promise.all(released)
  })
  const mails = createClaimLoop<ClaimedMail>({
    noun: 'mails',
    store: pauseClaims({ ...core.mails, claim: claimMails }, isPaused),
    renew: core.mails.renew,
    ...sendMails,
    settled: async () => {},
    isSuspect: ({ crashes }) => crashes > 0,
    clock,
    log,
    batch: MAILS_CLAIMED,
    kept: MAILS_KEPT,
  })
  /** One that was opened may have work that fell due. */
  function lookAgain(): void {
    worker.poll()
    timers.pollBy(clock.now())
    mails.pollBy(clock.now())
  }
  let unsubscribe: (() => void)[] = []
  return {
    start() {
      worker.start()
      timers.start()
      mails.start()
      // The job of a change is written by another node or by the command line, so this worker must look for it.
      unsubscribe = [bus.subscribe('campaigns-changed', worker.poll), bus.subscribe('environment-changed', lookAgain)]
    },
    pollJobs: worker.poll,
    scheduleTimers: timers.pollBy,
    scheduleMails: mails.pollBy,
    async stop() {
      for (const end of unsubscribe) end()
      await Promise.all([worker.stop(), timers.stop(), mails.stop()])
    },
  }
}
