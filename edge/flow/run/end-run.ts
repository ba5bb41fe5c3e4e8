// Ends of a waiting run that no step decides: cancelled, lapsed during a pause, given up (contract sections 6 and 7).

import type { Json } from '../../domain/json.ts'
import type { ClaimedWait, RunContinuation } from '../../domain/run/run-wait.ts'
import { boundInputs, withArrivals } from '../../domain/run/trace-inputs.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import { toIso } from '../../lib/clock.ts'
import type { Continued, Suspended } from './continue-run.ts'
import { branchOf } from './course.ts'

type Ended = Pick<RunContinuation, 'state'>['state']

/** The run ends where it waits: its trace keeps the step, as what it was. */
export function stopRun(
  wait: Pick<ClaimedWait, 'runId' | 'fence' | 'course' | 'awaits'>,
  trace: TraceStep[],
  state: Exclude<Ended, 'waiting'>,
  stateReason: string,
  now: number,
): Continued {
  const { runId, fence, course, awaits } = wait
  return {
    continues: {
      claim: { runId, fence },
      branch: branchOf(course),
      state,
      stateReason,
      endedAt: now,
      trace: JSON.stringify(trace.map((step) => closeStep(step, state, stateReason, now))),
      next: null,
      dropsArrivals: awaits !== null,
    },
    messages: [],
    gates: [],
  }
}

function closeStep(step: TraceStep, state: Ended, reason: string, now: number): TraceStep {
  if (step.outcome !== 'waiting') return step
  const outcome = state === 'failed' ? 'failed' : 'skipped'
  return { ...step, outcome, reason: `${state}: ${reason}`, durationMs: now - step.at }
}

/** What could not be carried on in all its attempts. */
export function failRun(wait: ClaimedWait, trace: TraceStep[], error: string, now: number): Continued {
  const told = trace.map((step) => (step.outcome === 'waiting' ? { ...step, outcome: 'failed' as const } : step))
  const last = told.findLast((step) => step.stepId === wait.stepId)
  if (last !== undefined) last.reason = `retries-exhausted: ${error}`
  return stopRun(wait, told, 'failed', 'retries-exhausted', now)
}

/**
 * A wait that fell due while its campaign was paused. Within `maxLateness` it goes on; later the run is cancelled, and what
 * it would have sent up to its next wait is a record that says so.
 */
export function lapseRun({ wait, start }: Suspended, goOn: () => Continued, now: number): Continued {
  const { maxLatenessMs, definition } = start.campaign
  const continued = goOn()
  if (now - wait.dueAt <= maxLatenessMs) return continued
  const reason = `paused: due at ${toIso(wait.dueAt)}, later than ${definition.maxLateness}`
  const trace = (JSON.parse(continued.continues.trace) as TraceStep[]).map((step) => {
    const isSend = continued.messages.some((message) => message.stepId === step.stepId)
    return isSend || step.outcome === 'waiting' ? { ...step, outcome: 'skipped' as const, reason } : step
  })
  return {
    continues: {
      ...continued.continues,
      state: 'cancelled',
      stateReason: 'paused',
      endedAt: now,
      trace: JSON.stringify(trace),
      next: null,
    },
    messages: continued.messages.map((message) => ({ ...message, status: 'cancelled', statusReason: 'paused' })),
    gates: [],
  }
}

function tellLooked(step: TraceStep, looked: Json[]): TraceStep {
  if (step.outcome !== 'waiting') return step
  return { ...step, inputs: boundInputs(withArrivals(step.inputs, looked), 0).inputs }
}

/** None of the events that came ends the wait: it goes on as it was. */
export function waitOn({ wait, run, start }: Suspended, looked: Json[]): Continued {
  const { runId, fence, campaignId, number, stepId, dueAt, awaits, course } = wait
  const next = {
    runId,
    campaignId,
    userId: start.user.id,
    number,
    stepId,
    dueAt,
    awaits,
    course: JSON.stringify(course),
  }
  return {
    continues: {
      claim: { runId, fence },
      branch: branchOf(course),
      state: 'waiting',
      stateReason: null,
      endedAt: null,
      trace: JSON.stringify(run.trace.map((step) => (step.stepId === stepId ? tellLooked(step, looked) : step))),
      next,
      asksCampaign: campaignId,
      dropsArrivals: true,
    },
    messages: [],
    gates: [],
  }
}
