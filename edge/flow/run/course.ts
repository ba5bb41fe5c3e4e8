// A run under way: what its steps read and what they leave behind (contract section 6). Plain data and the few deeds that all steps share.

import type { Environment } from '../../domain/environment.ts'
import type { TemplateScope } from '../../domain/expression/template.ts'
import type { Gate } from '../../domain/gate.ts'
import type { NewMessage, NewRun } from '../../domain/plan.ts'
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
}

/** A run under way. `ended` is set by the step that ends it. */
export interface Course {
  deps: RunCampaignDeps
  start: RunStart
  runId: number
  startedAt: number
  scope: TemplateScope
  branches: string[]
  trace: TraceStep[]
  messages: NewMessage[]
  /** What the commit decides on the way, in order. */
  gates: Gate[]
  ended: { state: RunState; stateReason: string | null } | null
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

/** The keys of the branches taken so far, as a message and the run tell it. */
export function branchOf(course: Course): string | null {
  return course.branches.length === 0 ? null : course.branches.join('/')
}

/** The run's row as it ends here. */
export function toRun(course: Course, end: NonNullable<Course['ended']>): NewRun {
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
    endedAt: course.deps.clock.now(),
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

/** Notes what became of a step; `at` is when it began. */
export function addTrace(
  course: Course,
  step: CompiledStep,
  outcome: TraceStep['outcome'],
  reason: string | null,
  at: number,
): void {
  course.trace.push({ stepId: step.id, type: step.type, outcome, reason, at, durationMs: course.deps.clock.now() - at })
}
