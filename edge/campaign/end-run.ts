// Ends a waiting run without its step: cancelled, too late after a pause, or failed in all attempts.

import type { Json } from '../../contract/json.ts'
import type { ClaimedWait } from '../domain/run/run-wait.ts'
import type { TraceStep } from '../domain/tracked-event.ts'
import { toIso } from '../lib/clock.ts'
import type { RunDeps, Suspended, Unsent } from './compiled.ts'
import type { Continued } from './run.ts'
import { branchOf, openRun } from './run-state.ts'
import { skipRemaining } from './skip-run.ts'
import { boundInputs, withArrivals } from './trace.ts'

type Stopped = { state: 'cancelled'; stateReason: string } | { state: 'failed'; stateReason: 'retries-exhausted' }

export interface EndRun {
  /** Ends the run where it waits, with a record of each message that it would have sent. */
  stop(suspended: Suspended, stopped: Stopped): Continued
  /** Fails a run that could not be continued in any attempt. */
  fail(suspended: Suspended, error: string): Continued
  /** Whether a run whose wait was due while its campaign was paused is past `maxLateness`. */
  isTooLate(suspended: Suspended): boolean
  /** Cancels such a run, with a record of each message that it would have sent. */
  stopLate(suspended: Suspended): Continued
}

export function createEndRun(deps: RunDeps): EndRun {
  const stop: EndRun['stop'] = ({ wait, run, start }, stopped) => {
    const { state, stateReason } = stopped
    const trace = run.trace.map((step) => closeStep(step, state, stateReason, deps.clock.now()))
    const stoppedRun = openRun(deps, start, run.id, { ...wait.runState, trace, number: wait.number })
    skipRemaining(stoppedRun, wait.stepId, unsentBy(stopped))
    const { continues, gates } = dropRun(wait, stopped, deps.clock.now(), stoppedRun.trace)
    return { continues: { ...continues, branch: branchOf(stoppedRun) }, messages: stoppedRun.messages, gates }
  }
  return {
    stop,
    fail({ run, ...rest }, error) {
      return stop({ ...rest, run: { ...run, trace: failAt(run.trace, rest.wait.stepId, error) } }, GIVEN_UP)
    },
    isTooLate: ({ wait, start }) => deps.clock.now() - wait.dueAt > start.campaign.maxLatenessMs,
    stopLate({ run, ...rest }) {
      const { wait, start } = rest
      const reason = `paused: due at ${toIso(wait.dueAt)}, later than ${start.campaign.definition.maxLateness}`
      const trace = run.trace.map((step) =>
        step.outcome === 'waiting' ? { ...step, outcome: 'skipped' as const, reason, code: 'paused' } : step,
      )
      return stop({ ...rest, run: { ...run, trace } }, { state: 'cancelled', stateReason: 'paused' })
    },
  }
}

export const GIVEN_UP = { state: 'failed', stateReason: 'retries-exhausted' } as const

/** Ends a run of which only its wait is known. */
export function dropRun(
  { runId, fence, runState, awaits }: Pick<ClaimedWait, 'runId' | 'fence' | 'runState' | 'awaits'>,
  stopped: Stopped,
  now: number,
  trace: TraceStep[] = [],
): Continued {
  return {
    continues: {
      claim: { runId, fence },
      branch: branchOf(runState),
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

/** @returns The reason of the run for its messages; each state has its own reasons. */
function unsentBy(stopped: Stopped): Unsent {
  if (stopped.state === 'failed') return { status: stopped.state, statusReason: stopped.stateReason }
  return { status: stopped.state, statusReason: stopped.stateReason }
}

function closeStep(step: TraceStep, state: Stopped['state'], reason: string, now: number): TraceStep {
  if (step.outcome !== 'waiting') return step
  const outcome = state === 'failed' ? 'failed' : 'skipped'
  return { ...step, outcome, reason: `${state}: ${reason}`, durationMs: now - step.at, code: reason }
}

function failAt(trace: TraceStep[], stepId: string, error: string): TraceStep[] {
  const reason = `retries-exhausted: ${error}`
  const last = trace.findLastIndex((step) => step.stepId === stepId)
  return trace.map((step, place) =>
    place === last ? { ...step, outcome: 'failed', reason, code: GIVEN_UP.stateReason } : step,
  )
}

function addChecked(step: TraceStep, checked: Json[]): TraceStep {
  if (step.outcome !== 'waiting') return step
  return { ...step, inputs: boundInputs(withArrivals(step.inputs, checked), 0).inputs }
}

/** Keeps the wait, after events that did not end it. */
export function waitOn({ wait, run, start }: Suspended, checked: Json[]): Continued {
  const { runId, fence, campaignId, number, stepId, dueAt, awaits, runState } = wait
  const next = {
    runId,
    campaignId,
    userId: start.user.id,
    number,
    stepId,
    dueAt,
    awaits,
    runState: JSON.stringify(runState),
  }
  return {
    continues: {
      claim: { runId, fence },
      branch: branchOf(runState),
      state: 'waiting',
      stateReason: null,
      endedAt: null,
      trace: JSON.stringify(run.trace.map((step) => (step.stepId === stepId ? addChecked(step, checked) : step))),
      next,
      checksCampaign: campaignId,
      dropsArrivals: true,
    },
    messages: [],
    gates: [],
  }
}
