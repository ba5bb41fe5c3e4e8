// Runs a campaign from its first step to its end without waiting: for tests and dry runs, in which time is over at once (contract section 6).

import type { NewMessage, NewRun } from '../../domain/plan.ts'
import type { NewWait, StoredCourse } from '../../domain/run/run-wait.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import type { RunCampaign } from '../run-campaign.ts'
import type { ContinueRun, Suspended } from './continue-run.ts'
import type { RunStart } from './course.ts'
import type { Wake } from './wake.ts'

/** What ends each wait. */
export type FindWake = (suspended: Suspended) => Wake | Promise<Wake>

export type RunThrough = (
  start: RunStart,
  findWake?: FindWake,
) => Promise<{ run: NewRun; messages: NewMessage[]; trace: TraceStep[] }>

const timeIsOver: FindWake = () => ({ by: 'timer' })

export function createRunThrough(runCampaign: RunCampaign, continueRun: ContinueRun): RunThrough {
  return async function runThrough(start, findWake = timeIsOver) {
    const begun = runCampaign(start)
    let { run, wait, trace } = begun
    const messages = [...begun.messages]
    // Each step waits a bounded number of times, and a campaign has a bounded number of steps.
    while (wait !== null) {
      const suspended = suspend(start, run, wait, trace)
      const { continues, messages: more } = continueRun(suspended, await findWake(suspended))
      const { branch, state, stateReason, endedAt, next } = continues
      run = { ...run, branch, state, stateReason, endedAt, trace: continues.trace }
      trace = JSON.parse(continues.trace) as TraceStep[]
      messages.push(...more)
      wait = next
    }
    return { run, messages, trace }
  }
}

function suspend(start: RunStart, run: NewRun, wait: NewWait, trace: TraceStep[]): Suspended {
  const { runId, campaignId, number, stepId, dueAt, awaits } = wait
  const environmentId = start.environment.id
  const course = JSON.parse(wait.course) as StoredCourse
  const claimed = { runId, environmentId, campaignId, number, stepId, dueAt, awaits, course }
  return {
    wait: { ...claimed, attempts: 1, fence: 0, wasParked: false, claimedAt: 0 },
    run: { id: runId, version: run.version, trace },
    start,
  }
}
