// A run under way: what its steps read and what they leave behind (contract section 6). Plain data and the few deeds that all steps share.

import type { Enrichers } from '../../domain/enricher.ts'
import type { Environment } from '../../domain/environment.ts'
import type { ConditionScope } from '../../domain/expression/condition.ts'
import type { TemplateScope } from '../../domain/expression/template.ts'
import type { Gate } from '../../domain/gate.ts'
import type { Json } from '../../domain/json.ts'
import type { NewMessage, NewRun } from '../../domain/plan.ts'
import type { NewWait, StoredCourse } from '../../domain/run/run-wait.ts'
import { boundInputs, countTold, type TraceInputs } from '../../domain/run/trace-inputs.ts'
import type { SendPolicy } from '../../domain/send-policy.ts'
import type { CompiledStep } from '../../domain/steps/compiled.ts'
import type { CompiledCampaign } from '../../domain/steps/compiled-campaign.ts'
import type { RunState, TraceStep } from '../../domain/tracked-event.ts'
import type { UserProfile } from '../../domain/user.ts'
import type { Clock } from '../../lib/clock.ts'
import { formatId, type IdSource } from '../../lib/id.ts'
import type { MessageOrigin } from '../create-message.ts'

/** `event` in conditions and templates (contract section 6). */
export interface EventScope {
  name: string
  userId: string
  properties: Record<string, unknown>
  /** ISO 8601. */
  occurredAt: string
}

/** `user` in conditions and templates. */
export interface UserScope extends UserProfile {
  id: string
}

/** Of whatever else a profile was read with, nothing is seen by conditions and templates. */
export function userScopeOf(id: string, { email, name, locale, timeZone, attributes }: UserProfile): UserScope {
  return { id, email, name, locale, timeZone, attributes }
}

export interface RunStart {
  environment: Pick<Environment, 'id' | 'name' | 'isProduction'>
  campaign: CompiledCampaign
  eventId: number
  event: EventScope
  user: UserScope
  /** What may be sent to the user; each step that sends asks it. */
  policy: SendPolicy
  /** Answers of enrichers by step id; only previews give any today. */
  enriched?: object
  /** Ids of inbox steps whose message of this run the user has read by now; absent while none can have been. For `unless: { read }`. */
  seenSteps?: ReadonlySet<string>
  correlationId: string
  isTest: boolean
}

export interface RunCampaignDeps {
  clock: Clock
  ids: { run: IdSource; message: IdSource }
  /** Answers of enrichers that are kept: then a run need not wait. */
  findCached?: Enrichers['findCached']
}

/** Set by a step that cannot go on yet. What it notes for itself is in `awaiting.note` when it is resumed. */
export interface StepWait {
  stepId: string
  /** When time wakes it (epoch ms). */
  dueAt: number
  /** The name of the tracked event that wakes it before, or null. */
  awaits: string | null
  note?: Json
}

/** A run under way. `ended` is set by the step that ends it, `wait` by the one that waits; either halts it. */
export interface Course {
  deps: RunCampaignDeps
  start: RunStart
  runId: number
  startedAt: number
  scope: TemplateScope & { awaited?: object }
  branches: string[]
  trace: TraceStep[]
  /** Characters that the trace has of inputs. */
  toldChars: number
  messages: NewMessage[]
  /** What the commit decides on the way, in order. */
  gates: Gate[]
  ended: { state: Exclude<RunState, 'running' | 'waiting'>; stateReason: string | null } | null
  wait: StepWait | null
  /** The wait that it came out of; number 0 and no note before the first. */
  awaiting: { number: number; note: Json | undefined }
}

/** What a run has when it starts, or brings along from its wait. */
export interface CourseSoFar extends Omit<StoredCourse, 'branches'> {
  branches: string[]
  trace: TraceStep[]
  /** Of the wait; 0 at the start. */
  number: number
}

export function openCourse(deps: RunCampaignDeps, start: RunStart, runId: number, soFar?: CourseSoFar): Course {
  const scope = scopeOf(start)
  if (soFar?.enriched !== undefined) scope.enriched = soFar.enriched
  if (soFar?.events !== undefined) scope.events = soFar.events as object[]
  return {
    deps,
    start,
    runId,
    startedAt: deps.clock.now(),
    scope: soFar?.awaited === undefined ? scope : { ...scope, awaited: soFar.awaited as object },
    // Its own: another attempt begins where this one did.
    branches: [...(soFar?.branches ?? [])],
    trace: (soFar?.trace ?? []).map((step) => ({ ...step })),
    toldChars: soFar === undefined ? 0 : countTold(soFar.trace),
    messages: [],
    gates: [],
    ended: null,
    wait: null,
    awaiting: { number: soFar?.number ?? 0, note: soFar?.note },
  }
}

export function isHalted(course: Course): boolean {
  return course.ended !== null || course.wait !== null
}

/** The row of what the run waits for now; null when it has ended. */
export function storeWait(course: Course): NewWait | null {
  const { wait, start, scope, branches } = course
  if (wait === null) return null
  const stored: StoredCourse = { branches }
  if (Object.keys(scope.enriched).length > 0) stored.enriched = scope.enriched as Record<string, Json>
  if (scope.awaited !== undefined) stored.awaited = scope.awaited as Json
  if (scope.events.length !== 1 || scope.events[0] !== start.event) stored.events = scope.events as Json[]
  if (wait.note !== undefined) stored.note = wait.note
  return {
    runId: course.runId,
    campaignId: start.campaign.campaign.id,
    userId: start.user.id,
    number: course.awaiting.number + 1,
    stepId: wait.stepId,
    dueAt: wait.dueAt,
    awaits: wait.awaits,
    course: JSON.stringify(stored),
  }
}

/** Runs steps one after the other; handed to steps that have others below them. */
export type RunSteps = (course: Course, steps: CompiledStep[]) => void

/** What templates see. Conditions see `event`, `user` and `enriched` of it. */
export function scopeOf(
  start: Pick<RunStart, 'environment' | 'campaign' | 'event' | 'user' | 'enriched'>,
): TemplateScope {
  const { campaign, version, definition } = start.campaign
  return {
    event: start.event,
    user: start.user,
    enriched: start.enriched ?? {},
    events: [start.event],
    campaign: {
      id: formatId('campaign', campaign.id),
      key: campaign.key,
      name: definition.name,
      category: definition.category,
      version,
    },
    env: {
      id: formatId('environment', start.environment.id),
      name: start.environment.name,
      isProduction: start.environment.isProduction,
    },
  }
}

/** What conditions see of a run. */
export function conditionScopeOf({ start, scope }: Course): ConditionScope {
  const { event, user } = start
  const { enriched, awaited } = scope
  return awaited === undefined ? { event, user, enriched } : { event, user, enriched, awaited }
}

/** The keys of the branches taken so far, as a message and the run tell it. */
export function branchOf({ branches }: Pick<Course, 'branches'>): string | null {
  return branches.length === 0 ? null : branches.join('/')
}

/** The run's row as it ends here. */
export function toRun(course: Course, end: { state: RunState; stateReason: string | null }): NewRun {
  const { start } = course
  return {
    id: course.runId,
    eventId: start.eventId,
    campaignId: start.campaign.campaign.id,
    version: start.campaign.version,
    branch: branchOf(course),
    userId: start.user.id,
    state: end.state,
    stateReason: end.stateReason,
    isTest: start.isTest,
    correlationId: start.correlationId,
    startedAt: course.startedAt,
    endedAt: end.state === 'waiting' ? null : course.deps.clock.now(),
    trace: JSON.stringify(course.trace),
  }
}

/** What the messages of a run have in common, for one that is made now. */
export function originOf(course: Course, at: number): MessageOrigin {
  const { start } = course
  return {
    runId: course.runId,
    eventId: start.eventId,
    campaignId: start.campaign.campaign.id,
    version: start.campaign.version,
    branch: branchOf(course),
    userId: start.user.id,
    correlationId: start.correlationId,
    createdAt: at,
    isTest: start.isTest,
  }
}

/** Notes what became of a step, and from what that was decided; `at` is when it began. */
export function addTrace(
  course: Course,
  step: CompiledStep,
  outcome: TraceStep['outcome'],
  reason: string | null,
  at: number,
  inputs?: TraceInputs,
): void {
  const durationMs = course.deps.clock.now() - at
  const entry: TraceStep = { stepId: step.id, type: step.type, outcome, reason, at, durationMs }
  if (inputs !== undefined) entry.inputs = bound(course, inputs)
  course.trace.push(entry)
}

function bound(course: Course, inputs: TraceInputs): TraceInputs {
  const bounded = boundInputs(inputs, course.toldChars)
  course.toldChars = bounded.told
  return bounded.inputs
}

/** What became of a step that waited: its entry in the trace is completed, with the time that it took and what came. */
export function settleTrace(
  course: Course,
  step: CompiledStep,
  outcome: TraceStep['outcome'],
  reason?: string,
  inputs?: TraceInputs,
): void {
  const at = course.deps.clock.now()
  const entry = course.trace.findLast((one) => one.stepId === step.id && one.outcome === 'waiting')
  if (entry === undefined) {
    addTrace(course, step, outcome, reason ?? null, at, inputs)
    return
  }
  entry.outcome = outcome
  entry.reason = reason ?? entry.reason
  entry.durationMs = at - entry.at
  if (inputs !== undefined) entry.inputs = { ...entry.inputs, ...bound(course, inputs) }
}
