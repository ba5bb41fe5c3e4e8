// Runs one campaign version for one user, up to its end or next wait, and returns rows of a plan. Stores nothing.

import type { Gate, NewMessage, NewRun } from '../domain/plan.ts'
import type { ClaimedWait, NewWait, RunContinuation, StoredRunState } from '../domain/run/run-wait.ts'
import type { TraceStep } from '../domain/tracked-event.ts'
import type { CompiledStep, ResumeReason, RunDeps, RunStart, RunState, RunSteps, Suspended } from './compiled.ts'
import { refusingEvaluations } from './expression/budget.ts'
import { enterStep } from './expression/noted-doubts.ts'
import { TemplateError } from './expression/template.ts'
import { againEntry, passesOver, reachStep } from './run-again.ts'
import { openRun, toRun, toWait } from './run-state.ts'
import { findStep } from './walk.ts'

export interface RunResult {
  run: NewRun
  messages: NewMessage[]
  gates: Gate[]
  trace: TraceStep[]
  /** The row of the next wait; null when the run has ended. */
  wait: NewWait | null
}

/**
 * Runs from the trigger. Never throws for a customer's mistakes: a template that does not render fails the run, with
 * the reason in the trace.
 */
export type RunCampaign = (start: RunStart) => RunResult

export interface Continued {
  continues: RunContinuation
  messages: NewMessage[]
  gates: Gate[]
}

/** Continues after a wait. Never throws for a customer's mistakes, like `RunCampaign`. */
export type ContinueRun = (suspended: Suspended, reason: ResumeReason) => Continued

export function createRunCampaign(deps: RunDeps): RunCampaign {
  return function runCampaign(start) {
    const { again } = start
    const state = openRun(deps, start, deps.ids.run.next(), again && { ...again, again, trace: [], number: 0 })
    if (again !== undefined) state.trace.push(againEntry(again, deps.clock.now()))
    runSteps(state, start.campaign.steps)
    const wait = toWait(state)
    const run = toRun(state, state.ended ?? { state: wait === null ? 'completed' : 'waiting', stateReason: null })
    return { run, messages: state.messages, gates: state.gates, trace: state.trace, wait }
  }
}

export function createContinueRun(deps: RunDeps): ContinueRun {
  return function continueRun({ wait, run, start }, reason) {
    const state = openRun(deps, start, run.id, { ...wait.runState, trace: run.trace, number: wait.number })
    if (!resumeSteps(state, start.campaign.steps, wait.stepId, reason)) {
      throw new Error(`waiting step not found: ${wait.stepId} in version ${run.version}`)
    }
    return { continues: toContinuation(state, wait), messages: state.messages, gates: state.gates }
  }
}

function toContinuation(run: RunState, { runId, fence, awaits, campaignId }: ClaimedWait): RunContinuation {
  const next = toWait(run)
  const end = run.ended ?? ({ state: next === null ? 'completed' : 'waiting', stateReason: null } as const)
  const { branch, endedAt, trace } = toRun(run, end)
  return {
    claim: { runId, fence },
    branch,
    ...end,
    endedAt,
    trace,
    next,
    checksCampaign: campaignId,
    dropsArrivals: awaits !== null,
  }
}

/** Messages that a run makes in one go, in characters; then it waits, and continues by a claim. */
const MAX_RUN_CHARS = 1024 * 1024

const charsOf = ({ messages }: RunState) => messages.reduce((sum, { snapshot }) => sum + snapshot.length, 0)

function runSteps(run: RunState, steps: readonly CompiledStep[]): void {
  for (const step of steps) {
    if (run.ended !== null || run.wait !== null) return
    if (run.again !== null && passesOver(run.again, step, (inner) => runSteps(run, inner))) continue
    if (run.stepsRun > 0 && (run.deps.isOverTime?.() === true || charsOf(run) > MAX_RUN_CHARS)) {
      run.wait = { stepId: step.id, dueAt: run.deps.clock.now(), awaits: null, isPostponed: true }
      return
    }
    runStep(run, step)
  }
}

function runStep(run: RunState, step: CompiledStep): void {
  run.stepsRun++
  if (run.again !== null) reachStep(run, step)
  enterStep(step.id)
  // The step of nearly every event: without a function of its own.
  if (run.deps.refused === undefined) step.run(run, runSteps)
  else evaluateStep(run, step, (runInner) => step.run(run, runInner))
}

/** The expressions of a step that ended a process fail; those of its inner steps are evaluated. */
function evaluateStep({ deps }: RunState, { id }: CompiledStep, evaluate: (runInner: RunSteps) => void): void {
  deps.onStep?.(id)
  if (deps.refused?.has(id) !== true) {
    evaluate(runSteps)
    return
  }
  const inner: Parameters<RunSteps>[] = []
  refusingEvaluations(() => evaluate((...list) => inner.push(list)))
  for (const list of inner) runSteps(...list)
}

/**
 * Continues from the step that waited: through the rest of its inner steps, then after it, then after each step around
 * it. Ids are unique in a version, and a version never changes.
 * @returns false when there is no such step
 */
function resumeSteps(run: RunState, steps: readonly CompiledStep[], stepId: string, reason: ResumeReason): boolean {
  for (const [index, step] of steps.entries()) {
    if (step.id === stepId) run.wasPostponed ? runStep(run, step) : resumeStep(run, step, reason)
    else if (!step.inner.some((inner) => resumeSteps(run, inner, stepId, reason))) continue
    runSteps(run, steps.slice(index + 1))
    return true
  }
  return false
}

function resumeStep(run: RunState, step: CompiledStep, reason: ResumeReason): void {
  const { resume } = step
  if (resume === undefined) throw new Error(`step cannot be resumed: ${step.type}`)
  run.stepsRun++
  enterStep(step.id)
  evaluateStep(run, step, (runInner) => resume.call(step, run, reason, runInner))
}

export type DryRun = (start: RunStart) => { run: NewRun; messages: NewMessage[]; trace: TraceStep[] }

/**
 * Runs a campaign from its first step to its end: its clock passes over every wait, which no event ends. Calls no enricher and
 * uses no cached answer. The function throws TemplateError when the run uses more than its time.
 */
export function createDryRun({ findCached: _, ...given }: RunDeps): DryRun {
  let passedMs = 0
  const clock = { now: () => given.clock.now() + passedMs }
  const deps = { ...given, clock }
  const runCampaign = createRunCampaign(deps)
  const continueRun = createContinueRun(deps)
  return function dryRun(start) {
    passedMs = 0
    let { run, wait, trace, messages } = runCampaign(start)
    // Each step waits a bounded number of times, and a campaign has a bounded number of steps.
    while (wait !== null) {
      if (deps.isOverTime?.() === true) throw new TemplateError('The steps of the campaign take too long.')
      passedMs += Math.max(0, wait.dueAt - clock.now())
      const { continues, messages: more } = continueRun(suspend(start, run, wait, trace), endOf(start, wait))
      const { branch, state, stateReason, endedAt, next } = continues
      run = { ...run, branch, state, stateReason, endedAt, trace: continues.trace }
      trace = JSON.parse(continues.trace) as TraceStep[]
      messages = [...messages, ...more]
      wait = next
    }
    return { run, messages, trace }
  }
}

/** A digest gathers the run's own event alone. */
function endOf({ campaign, event }: RunStart, { stepId }: NewWait): ResumeReason {
  if (findStep(campaign.steps, stepId)?.endsBy?.by !== 'events') return { by: 'timer' }
  return { by: 'events', events: JSON.stringify([event]), count: 1 }
}

function suspend(start: RunStart, run: NewRun, wait: NewWait, trace: TraceStep[]): Suspended {
  const { runId, campaignId, number, stepId, dueAt, awaits } = wait
  const environmentId = start.environment.id
  const runState = JSON.parse(wait.runState) as StoredRunState
  const claimed = { runId, environmentId, campaignId, number, stepId, dueAt, awaits, runState }
  return {
    wait: { ...claimed, attempts: 1, crashes: 0, fence: 0, wasParked: false, claimedAt: 0, stateChars: 0 },
    run: { id: runId, version: run.version, trace },
    start,
    chars: 0,
  }
}
