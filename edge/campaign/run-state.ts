// Opens the state of a run, derives from it what templates and conditions see, and turns it into rows of a plan.

import type { Json } from '../../contract/json.ts'
import type { NewRun } from '../domain/plan.ts'
import type { AgainSteps, NewWait, StoredRunState } from '../domain/run/run-wait.ts'
import type { RunStatus, TraceStep } from '../domain/tracked-event.ts'
import type { UserProfile } from '../domain/user.ts'
import { formatId } from '../lib/id.ts'
import { withLazyJson } from '../lib/lazy-json.ts'
import type { RunDeps, RunStart, RunState, UserScope } from './compiled.ts'
import type { ConditionScope } from './expression/condition.ts'
import type { TemplateScope } from './expression/template.ts'
import type { MessageOrigin } from './message.ts'
import { countInputChars } from './trace.ts'

/** The user as conditions and templates see it, whatever else the profile contains. */
export function userScopeOf(id: string, { email, name, locale, timeZone, attributes }: UserProfile): UserScope {
  return { id, email, name, locale, timeZone, attributes }
}

/** Returns the user without empty texts: in templates, an empty name or attribute is a missing one. */
function withoutBlanks(user: UserScope): UserScope {
  const fields = dropBlanks(user)
  const attributes = dropBlanks(user.attributes)
  return fields === user && attributes === user.attributes ? user : { ...fields, id: user.id, attributes }
}

/** Copies an object with null in place of each empty text; returns the object itself when it has none. */
function dropBlanks<T extends object>(object: T): T {
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
  if (!Object.values(object).some(isBlank)) return object
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isBlank(value) ? null : value])) as T
}

/** State that a run brings from its wait. */
export interface Restored extends StoredRunState {
  trace: TraceStep[]
  /** Id of the wait. */
  number: number
}

/** Creates the state of a run at its start, or restores it after a wait. */
export function openRun(deps: RunDeps, start: RunStart, runId: number, restored?: Restored): RunState {
  const scope: RunState['scope'] = scopeOf(start)
  if (restored?.enriched !== undefined) scope.enriched = restored.enriched
  if (restored?.awaited !== undefined) scope.awaited = restored.awaited as object
  const run: RunState = {
    deps,
    start,
    runId,
    startedAt: deps.clock.now(),
    scope,
    // Copies, because another attempt begins with the same state.
    branches: [...(restored?.branches ?? [])],
    trace: (restored?.trace ?? []).map((step) => ({ ...step })),
    inputChars: restored === undefined ? 0 : countInputChars(restored.trace),
    messages: [],
    gates: [],
    ended: null,
    wait: null,
    waitNumber: restored?.number ?? 0,
    again: restored?.again === undefined ? null : copyAgain(restored.again),
    wasPostponed: restored?.isPostponed === true,
    stepsRun: 0,
  }
  // Waits of earlier programs have a list.
  const events: unknown = restored?.events
  if (events !== undefined) gatherEvents(run, typeof events === 'string' ? events : JSON.stringify(events))
  return run
}

/** Another attempt begins with the same steps. */
export function copyAgain({ steps, isOnly }: AgainSteps): AgainSteps | null {
  if (steps.length === 0 && isOnly !== true) return null
  return { steps: [...steps], ...(isOnly && { isOnly }) }
}

/** Lets the run's templates see the events of a digest. `events`: JSON text of a list; a run that is skipped never parses it. */
export function gatherEvents(run: RunState, events: string): void {
  run.digest = events
  withLazyJson(run.scope, 'events', events)
}

/** Returns the row of the run's next wait; null when it has ended. */
export function toWait(run: RunState): NewWait | null {
  const { wait, start, scope, branches, digest } = run
  if (wait === null) return null
  const stored: StoredRunState = { branches }
  if (Object.keys(scope.enriched).length > 0) stored.enriched = scope.enriched as Record<string, Json>
  if (scope.awaited !== undefined) stored.awaited = scope.awaited as Json
  if (digest !== undefined) stored.events = digest
  if (wait.note !== undefined) stored.note = wait.note
  if (wait.isPostponed) stored.isPostponed = true
  if (run.again !== null) stored.again = run.again
  return {
    runId: run.runId,
    campaignId: start.campaign.campaign.id,
    userId: start.user.id,
    number: run.waitNumber + 1,
    stepId: wait.stepId,
    dueAt: wait.dueAt,
    awaits: wait.awaits,
    runState: JSON.stringify(stored),
  }
}

/** Returns the data of a run's templates. */
export function scopeOf(
  start: Pick<RunStart, 'environment' | 'campaign' | 'event' | 'user' | 'enriched'>,
): TemplateScope {
  const { campaign, version, definition, texts } = start.campaign
  return {
    event: start.event,
    user: withoutBlanks(start.user),
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
    appSchemes: start.environment.appSchemes ?? [],
    ...(texts && { texts }),
  }
}

/** Returns the data of a run's conditions. */
export function conditionScopeOf({ start, scope }: RunState): ConditionScope {
  const { event, user } = start
  const { enriched, awaited } = scope
  return awaited === undefined ? { event, user, enriched } : { event, user, enriched, awaited }
}

/** Joins the keys of the branches taken, as messages and the run store them; null before the first. */
export function branchOf({ branches }: Pick<RunState, 'branches'>): string | null {
  return branches.length === 0 ? null : branches.join('/')
}

/** Returns the run's row when it ends or waits. */
export function toRun(run: RunState, end: { state: RunStatus; stateReason: string | null }): NewRun {
  const { start } = run
  return {
    id: run.runId,
    eventId: start.eventId,
    campaignId: start.campaign.campaign.id,
    version: start.campaign.version,
    branch: branchOf(run),
    userId: start.user.id,
    state: end.state,
    stateReason: end.stateReason,
    isTest: start.isTest,
    correlationId: start.correlationId,
    startedAt: run.startedAt,
    endedAt: end.state === 'waiting' ? null : run.deps.clock.now(),
    trace: JSON.stringify(run.trace),
  }
}

/** Returns the shared fields of the run's messages, for one created at `at` (epoch ms). */
export function originOf(run: RunState, at: number): MessageOrigin {
  const { start } = run
  return {
    runId: run.runId,
    eventId: start.eventId,
    campaignId: start.campaign.campaign.id,
    version: start.campaign.version,
    branch: branchOf(run),
    userId: start.user.id,
    correlationId: start.correlationId,
    createdAt: at,
    isTest: start.isTest,
  }
}
