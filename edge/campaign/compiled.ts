// Types of a compiled campaign and of a run that its steps work on. A leaf: steps, walkers and runs are bound by these types alone.

import type { MessageContent } from '../../contract/api.ts'
import type { CampaignHead, StoredDefinition } from '../domain/campaign.ts'
import type { EnricherResult, Enrichers } from '../domain/enricher.ts'
import type { Environment } from '../domain/environment.ts'
import type { Json } from '../domain/json.ts'
import type { Gate, NewMessage } from '../domain/plan.ts'
import type { Arrival } from '../domain/run/arrival.ts'
import type { ClaimedWait, WaitingRun } from '../domain/run/run-wait.ts'
import type { RunStatus, TraceStep } from '../domain/tracked-event.ts'
import type { UserProfile } from '../domain/user.ts'
import type { Clock } from '../lib/clock.ts'
import type { IdSource } from '../lib/id.ts'
import type { Condition } from './expression/condition.ts'
import type { TemplateScope } from './expression/template.ts'
import type { SendPolicy } from './send-policy.ts'

/** A published version, or a draft as it would be published, ready to run. */
export interface CompiledCampaign {
  campaign: CampaignHead
  version: number
  definition: StoredDefinition
  where: Condition | null
  steps: CompiledStep[]
  /** How late a step may be that fell due during a pause. */
  maxLatenessMs: number
  /** True when the user's profile must be read before a run; false when neither conditions nor templates use it. */
  readsProfile: boolean
  /** True when a step depends on whether a message of the run was read: the run loads that before it goes on. */
  asksSeen: boolean
}

/** A step ready to run: its templates and conditions are compiled once per campaign version. */
export interface CompiledStep {
  id: string
  type: string
  /** The lists of steps that stand in this one. */
  below: CompiledStep[][]
  /** True when the step itself reads more of the user than the id. */
  readsProfile: boolean
  /** True when the step depends on whether a message of the run was read. */
  asksSeen?: boolean
  /** Adds to the run what the step leaves behind. */
  run(run: RunState, runSteps: RunSteps): void
  /** Goes on after the step's wait; absent where the step never waits. */
  resume?(run: RunState, reason: ResumeReason, runSteps: RunSteps): void
  /** Records what the step would have sent; without it the trace alone says that the step was skipped. */
  skip?(run: RunState, unsent: Unsent, skipSteps: RunSteps): void
  /** The steps that time alone leads to from the step's wait, before those that stand after it. */
  whenOver?: CompiledStep[]
  /** What ends the step's wait, where it is more than time. */
  endsBy?: WaitEnd
  /** Renders the message that the step would make. Throws TemplateError. */
  preview?(scope: TemplateScope, wording: Wording): MessageContent
}

/** Runs or skips steps one after the other; handed to steps that have others below them. */
export type RunSteps = (run: RunState, steps: readonly CompiledStep[]) => void

/** What a message falls back on: the campaign's category and name, the user's locale. */
export interface Wording {
  category: string | null
  locale: string | null
  fallbackTitle: string
}

/** What has to be loaded or called before a waiting step can go on. */
export type WaitEnd =
  /** Events of the awaited name: judged in the order in which they came. */
  | { by: 'event'; event: string; judge(suspended: Suspended, arrivals: Arrival[], now: number): ResumeReason | NotYet }
  /** The answer of an enricher. */
  | { by: 'enricher'; enricher: string }
  /** The events that a digest has gathered. */
  | { by: 'events' }

/** None of the events that came ends the wait. */
export interface NotYet {
  by: 'none'
  looked: Json[]
}

/** What ended a wait. */
export type ResumeReason =
  /** Time: a delay is over, a waitFor ran out, a window closes. `looked`: events that came and did not end the wait. */
  | { by: 'timer'; tried?: string; looked?: Json[] }
  /** The event that a waitFor waited for, as conditions see it. */
  | { by: 'event'; awaited: object; eventId: string; looked: Json[] }
  /** The result of an enricher's call. */
  | { by: 'enricher'; result: EnricherResult }
  /** The events of a digest, as templates see them. */
  | { by: 'events'; events: Json[] }

/** Why a message is recorded and not sent. */
export type Unsent =
  | { status: 'skipped'; statusReason: string }
  | { status: 'failed'; statusReason: 'render-error' | 'provider-error' | 'enricher-error' | 'retries-exhausted' }
  /** With its run: the reason is that of the run. */
  | { status: 'cancelled'; statusReason: string }

/** `event` in conditions and templates. */
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
  /** Answers of enrichers by step id; only previews give any. */
  enriched?: object
  /** Ids of inbox steps whose message of this run the user has read; absent while none can have been. */
  seenSteps?: ReadonlySet<string>
  correlationId: string
  isTest: boolean
}

export interface RunDeps {
  clock: Clock
  ids: { run: IdSource; message: IdSource }
  /** Answers of enrichers that are kept: with one the run need not wait. */
  findCached?: Enrichers['findCached']
}

/** Set by a step that cannot go on yet. */
export interface StepWait {
  stepId: string
  /** When time ends the wait (epoch ms). */
  dueAt: number
  /** The name of the tracked event that ends the wait before, or null. */
  awaits: string | null
  /** What the step keeps for itself until it is resumed. */
  note?: Json
}

/** A run under way. A step that sets `ended` or `wait` halts it. */
export interface RunState {
  deps: RunDeps
  start: RunStart
  runId: number
  startedAt: number
  scope: TemplateScope & { awaited?: object }
  /** Keys of the branches taken. */
  branches: string[]
  trace: TraceStep[]
  /** Characters of inputs in the trace. */
  inputChars: number
  messages: NewMessage[]
  /** What only the commit can decide, in order. */
  gates: Gate[]
  ended: { state: Exclude<RunStatus, 'running' | 'waiting'>; stateReason: string | null } | null
  wait: StepWait | null
  /** The number of the wait that the run came out of; 0 before the first. */
  waitNumber: number
}

/** A wait with all that its run needs to go on. */
export interface Suspended {
  wait: ClaimedWait
  run: Pick<WaitingRun, 'id' | 'version' | 'trace'>
  start: RunStart
}
