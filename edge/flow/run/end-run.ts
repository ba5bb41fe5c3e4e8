// Ends of a waiting run that no step decides: cancelled, lapsed during a pause, given up (contract sections 6 and 7).

import type { Json } from '../../domain/json.ts'
import type { ClaimedWait, StoredCourse } from '../../domain/run/run-wait.ts'
import { boundInputs, withArrivals } from '../../domain/run/trace-inputs.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import { toIso } from '../../lib/clock.ts'
import type { Unsent } from '../create-message.ts'
import type { Continued, Suspended } from './continue-run.ts'
import { branchOf, openCourse, type RunCampaignDeps } from './course.ts'
import { recordAhead } from './gates/divert.ts'

type Stopped = { state: 'cancelled'; stateReason: string } | { state: 'failed'; stateReason: 'retries-exhausted' }

export interface EndRun {
  /** The run ends where it waits, with a record of each message that it would still have come to. */
  stop(suspended: Suspended, stopped: Stopped): Continued
  /** What could not be carried on in all its attempts. */
  fail(suspended: Suspended, error: string): Continued
  /**
   * A wait that fell due while its campaign was paused. Within `maxLateness` it goes on; later the run is cancelled, and what
   * it would have sent is a record that says so.
   */
  lapse(suspended: Suspended, goOn: () => Continued): Continued
}

export function createEndRun(deps: RunCampaignDeps): EndRun {
  const stop: EndRun['stop'] = ({ wait, run, start }, stopped) => {
    const { state, stateReason } = stopped
    const trace = run.trace.map((step) => closeStep(step, state, stateReason, deps.clock.now()))
    const course = openCourse(deps, start, run.id, { ...wait.course, trace, number: wait.number })
    recordAhead(course, wait.stepId, unsentBy(stopped))
    const { continues, gates } = dropRun(wait, stopped, deps.clock.now(), course.trace)
    return { continues: { ...continues, branch: branchOf(course) }, messages: course.messages, gates }
  }
  return {
    stop,
    fail({ wait, run, start }, error) {
      return stop({ wait, start, run: { ...run, trace: failAt(run.trace, wait.stepId, error) } }, GIVEN_UP)
    },
    lapse(suspended, goOn) {
      const continued = goOn()
      const late = deps.clock.now() - suspended.wait.dueAt > suspended.start.campaign.maxLatenessMs
      return late ? cancelLate(deps, suspended, continued) : continued
    },
  }
}

export const GIVEN_UP = { state: 'failed', stateReason: 'retries-exhausted' } as const

/** The run ends, and nothing more is known of it than its wait. */
export function dropRun(
  { runId, fence, course, awaits }: Pick<ClaimedWait, 'runId' | 'fence' | 'course' | 'awaits'>,
  stopped: Stopped,
  now: number,
  trace: TraceStep[] = [],
): Continued {
  return {
    continues: {
      claim: { runId, fence },
      branch: branchOf(course),
      ...stopped,
      endedAt: now,
      trace: JSON.stringify(trace),
      next: null,
      dropsArrivals: awaits !== null,
    },
    messages: [],
    gates: [],
  }
}

/** The same words for its messages; asked which, as each state has reasons of its own. */
function unsentBy(stopped: Stopped): Unsent {
  if (stopped.state === 'failed') return { status: stopped.state, statusReason: stopped.stateReason }
  return { status: stopped.state, statusReason: stopped.stateReason }
}

function closeStep(step: TraceStep, state: Stopped['state'], reason: string, now: number): TraceStep {
  if (step.outcome !== 'waiting') return step
  const outcome = state === 'failed' ? 'failed' : 'skipped'
  return { ...step, outcome, reason: `${state}: ${reason}`, durationMs: now - step.at }
}

function failAt(trace: TraceStep[], stepId: string, error: string): TraceStep[] {
  const reason = `retries-exhausted: ${error}`
  const last = trace.findLastIndex((step) => step.stepId === stepId)
  return trace.map((step, place) => (place === last ? { ...step, outcome: 'failed', reason } : step))
}

/** What it would have sent by now is rendered already; what stands behind its next wait is told as of any run that is stopped. */
function cancelLate(deps: RunCampaignDeps, { wait, run, start }: Suspended, continued: Continued): Continued {
  const reason = `paused: due at ${toIso(wait.dueAt)}, later than ${start.campaign.definition.maxLateness}`
  const { next } = continued.continues
  const trace = (JSON.parse(continued.continues.trace) as TraceStep[]).map((step) => {
    const isSend = continued.messages.some((message) => message.stepId === step.stepId)
    return isSend || step.outcome === 'waiting' ? { ...step, outcome: 'skipped' as const, reason } : step
  })
  const soFar = next === null ? wait.course : (JSON.parse(next.course) as StoredCourse)
  const course = openCourse(deps, start, run.id, { ...soFar, trace, number: wait.number })
  if (next !== null) recordAhead(course, next.stepId, { status: 'cancelled', statusReason: 'paused' })
  const cancelled = continued.messages.map((message) => ({
    ...message,
    status: 'cancelled' as const,
    statusReason: 'paused',
  }))
  return {
    continues: {
      ...continued.continues,
      ...(next !== null && { branch: branchOf(course) }),
      state: 'cancelled',
      stateReason: 'paused',
      endedAt: deps.clock.now(),
      trace: JSON.stringify(course.trace),
      next: null,
    },
    messages: [...cancelled, ...course.messages],
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
