// Runs one campaign version for one user up to its end or first wait, into rows of a plan (house section 3). Nothing is stored here.

import type { Environment } from '../domain/environment.ts'
import { TemplateError, type TemplateScope } from '../domain/expression/template.ts'
import type { NewMessage, NewRun } from '../domain/plan.ts'
import { chooseBranch } from '../domain/steps/branch.ts'
import type { CompiledBranchStep, CompiledInboxStep, CompiledStep } from '../domain/steps/compiled.ts'
import type { CompiledCampaign } from '../domain/steps/compiled-campaign.ts'
import type { RunState, TraceStep } from '../domain/tracked-event.ts'
import type { UserProfile } from '../domain/user.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type IdSource } from '../lib/id.ts'
import { createFailedMessage, createInboxMessage } from './create-message.ts'

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
  /** Answers of enrichers by step id; only previews give any today. */
  enriched?: object
  correlationId: string
  isTest: boolean
}

export interface RunResult {
  run: NewRun
  messages: NewMessage[]
  trace: TraceStep[]
}

export type RunCampaign = (start: RunStart) => RunResult

export interface RunCampaignDeps {
  clock: Clock
  ids: { run: IdSource; message: IdSource }
}

/** A run under way. `ended` is set by the step that ends it. */
interface Course {
  deps: RunCampaignDeps
  start: RunStart
  runId: number
  scope: TemplateScope
  branches: string[]
  trace: TraceStep[]
  messages: NewMessage[]
  ended: { state: RunState; stateReason: string | null } | null
}

/** Never throws for what a customer wrote: a template that fails to render fails its run, with the reason in the trace. */
export function createRunCampaign(deps: RunCampaignDeps): RunCampaign {
  return function runCampaign(start) {
    const startedAt = deps.clock.now()
    const course: Course = {
      deps,
      start,
      runId: deps.ids.run.next(),
      scope: scopeOf(start),
      branches: [],
      trace: [],
      messages: [],
      ended: null,
    }
    runSteps(course, start.campaign.steps)
    const end = course.ended ?? { state: 'completed', stateReason: null }
    const run: NewRun = {
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
      startedAt,
      endedAt: deps.clock.now(),
      trace: JSON.stringify(course.trace),
    }
    return { run, messages: course.messages, trace: course.trace }
  }
}

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

function branchOf(course: Course): string | null {
  return course.branches.length === 0 ? null : course.branches.join('/')
}

function runSteps(course: Course, steps: CompiledStep[]): void {
  for (const step of steps) {
    if (course.ended !== null) return
    switch (step.type) {
      case 'inbox':
        runInboxStep(course, step)
        break
      case 'branch':
        runBranchStep(course, step)
        break
      case 'exit':
        course.ended = { state: 'exited', stateReason: step.reason }
        addTrace(course, step, 'exited', step.reason, course.deps.clock.now())
    }
  }
}

function runInboxStep(course: Course, step: CompiledInboxStep): void {
  const { start, deps } = course
  const at = deps.clock.now()
  const id = deps.ids.message.next()
  const { campaign } = start.campaign
  const origin = {
    runId: course.runId,
    eventId: start.eventId,
    campaignId: campaign.id,
    version: start.campaign.version,
    branch: branchOf(course),
    userId: start.user.id,
    correlationId: start.correlationId,
    createdAt: at,
    isTest: start.isTest,
  }
  try {
    const wording = { locale: start.user.locale, fallbackTitle: start.campaign.definition.name }
    course.messages.push(createInboxMessage(id, step, origin, course.scope, wording))
    addTrace(course, step, 'done', null, at)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    course.messages.push(createFailedMessage(id, step, origin, start.campaign.definition.category))
    course.ended = { state: 'failed', stateReason: 'render-error' }
    addTrace(course, step, 'failed', `render-error: ${error.message}`, at)
  }
}

/** After a branch's steps the run goes on behind it; its key stays in the branch of later messages. */
function runBranchStep(course: Course, step: CompiledBranchStep): void {
  const at = course.deps.clock.now()
  const { start } = course
  const seed = `${start.campaign.campaign.id}\n${start.user.id}`
  const { branch, reason } = chooseBranch(
    step,
    { event: start.event, user: start.user, enriched: course.scope.enriched },
    seed,
  )
  addTrace(course, step, branch === undefined ? 'not-taken' : 'taken', reason, at)
  if (branch === undefined) return
  course.branches.push(branch.key)
  runSteps(course, branch.steps)
}

function addTrace(
  course: Course,
  step: CompiledStep,
  outcome: TraceStep['outcome'],
  reason: string | null,
  at: number,
): void {
  course.trace.push({ stepId: step.id, type: step.type, outcome, reason, at, durationMs: course.deps.clock.now() - at })
}
