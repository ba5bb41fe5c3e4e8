// Defines the types of a compiled campaign and of a run. A leaf: steps, walkers and runs depend on these types, not on each other.

import type { MessageContent } from '../../contract/api.ts'
import type { Json } from '../../contract/json.ts'
import type { CampaignHead, StoredDefinition } from '../domain/campaign.ts'
import type { CampaignTexts } from '../domain/campaign-texts.ts'
import type { EnricherResult, Enrichers } from '../domain/enricher.ts'
import type { Environment } from '../domain/environment.ts'
import type { StepFile } from '../domain/mail/attachment.ts'
import type { Gate, NewMessage } from '../domain/plan.ts'
import type { Arrival } from '../domain/run/arrival.ts'
import type { AgainSteps, ClaimedWait, WaitingRun } from '../domain/run/run-wait.ts'
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
  /** Of the definition and its texts as JSON. */
  chars: number
  /** What it uses of the environment's texts; absent: nothing. */
  texts?: CampaignTexts
  where: Condition | null
  steps: CompiledStep[]
  /** How late a step may continue that was due during a pause (ms). */
  maxLatenessMs: number
  /** True when the user's profile must be read before a run; false when neither conditions nor templates use it. */
  readsProfile: boolean
  /** True when the cost of all conditions and templates is proved to be small. */
  isPlain: boolean
  /** True when a step depends on whether a message of the run was read: the run loads that before it continues. */
  needsSeenSteps: boolean
}

/** A step ready to run: its templates and conditions are compiled once per campaign version. */
export interface CompiledStep {
  id: string
  type: string
  /** The lists of steps inside this one. */
  inner: CompiledStep[][]
  /** True when the step itself reads more of the user than the id. */
  readsProfile: boolean
  /** True when the cost of the step's own conditions and templates is proved to be small. */
  isPlain: boolean
  /** True when the step depends on whether a message of the run was read. */
  needsSeenSteps?: boolean
  /** Runs the step and adds its results to the run. */
  run(run: RunState, runSteps: RunSteps): void
  /** Continues after the step's wait; absent where the step never waits. */
  resume?(run: RunState, reason: ResumeReason, runSteps: RunSteps): void
  /** Records what the step would have sent; absent where only the trace shows that the step was skipped. */
  skip?(run: RunState, unsent: Unsent, skipSteps: RunSteps): void
  /** True when `skip` evaluates conditions: of a run that ends where it waits, the step is then skipped as a whole. */
  skipEvaluates?: boolean
  /** True when the step ends the run. */
  ends?: boolean
  /** The inner steps that run when the wait times out, before the steps after this one. */
  whenOver?: CompiledStep[]
  /** What ends the step's wait; absent where only time does. */
  endsBy?: WaitEnd
  /** Returns why a message that waits to be sent must not be sent at `at` (epoch ms); absent where nothing waits. */
  findReasonToKeep?(recipient: QueuedFor, at: number): { statusReason: string; because: string } | undefined
  /** The attachments of a mail, by their places. */
  files?: readonly StepFile[]
  /** Renders the message that the step would make. Throws TemplateError. */
  preview?(scope: TemplateScope, defaults: MessageDefaults): MessageContent
}

/** Runs or skips steps one after the other; passed to steps that have inner steps. */
export type RunSteps = (run: RunState, steps: readonly CompiledStep[]) => void

/** The recipient of a queued message, as the rules are now. */
export interface QueuedFor {
  address: string | null
  policy: SendPolicy
  seenSteps?: ReadonlySet<string> | undefined
}

/** Defaults of a message: the campaign's category and name, the user's locale. */
export interface MessageDefaults {
  category: string | null
  locale: string | null
  fallbackTitle: string
}

/** What must be loaded or called before a waiting step can continue. */
export type WaitEnd =
  /** Events of the awaited name, checked in the order of their arrival. */
  | { by: 'event'; event: string; judge(suspended: Suspended, arrivals: Arrival[], now: number): ResumeReason | NotYet }
  /** The answer of an enricher. */
  | { by: 'enricher'; enricher: string }
  /** The events that a digest has gathered. */
  | { by: 'events' }

/** None of the events ends the wait. */
export interface NotYet {
  by: 'none'
  checked: Json[]
}

/** What ended a wait. */
export type ResumeReason =
  /** Time: a delay is over, a waitFor timed out, a window closes. `checked`: events that did not end the wait. */
  | { by: 'timer'; checked?: Json[] }
  /** The event that a waitFor waited for, as conditions see it. */
  | { by: 'event'; awaited: object; eventId: string; checked: Json[] }
  /** The result of an enricher's call. */
  | { by: 'enricher'; result: EnricherResult }
  /** The events of a digest, as templates see them: JSON text of a list. */
  | { by: 'events'; events: string; count: number }

/** Why a message is recorded and not sent. */
export type Unsent =
  | { status: 'skipped'; statusReason: string }
  | { status: 'failed'; statusReason: 'render-error' | 'provider-error' | 'enricher-error' | 'retries-exhausted' }
  /** Cancelled with its run, whose reason it has. */
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
export interface UserScope extends Omit<UserProfile, 'externalIds'> {
  id: string
}

/** What a run that is run again brings from the former one, and with which step it begins. */
export interface Again extends AgainSteps {
  /** Keys of the branches taken. */
  branches: string[]
  /** The event that ended the last waitFor. */
  awaited?: Json
  /** The events of the last digest, as templates see them: JSON text of a list. */
  events?: string
  /** Says in the trace which run it was, and who ran it again. */
  reason: string
}

export interface RunStart {
  environment: Pick<Environment, 'id' | 'name' | 'isProduction' | 'appSchemes'>
  campaign: CompiledCampaign
  eventId: number
  event: EventScope
  user: UserScope
  /** Decides what may be sent to the user; each step that sends evaluates it. */
  policy: SendPolicy
  /** Answers of enrichers by step id; only previews have any. */
  enriched?: object
  /** Of a run that is run again: the condition of the trigger is not evaluated. */
  again?: Again
  /** Ids of inbox steps whose message of this run the user has read; absent while none can have been. */
  seenSteps?: ReadonlySet<string>
  correlationId: string
  isTest: boolean
}

export interface RunDeps {
  clock: Clock
  ids: { run: Pick<IdSource, 'next'>; message: Pick<IdSource, 'next'> }
  /** Finds the cached answer of an enricher, with which the run need not wait. */
  findCached?: Enrichers['findCached']
  /** Steps whose expressions ended a process: they fail instead of being evaluated. */
  refused?: ReadonlySet<string>
  /** Called with the id of each step before it runs. */
  onStep?(stepId: string): void
  /** Returns the milliseconds since a step began or this was called; absent: steps are measured by `clock`. */
  takeStepMs?(): number
  /** Whether the run has used its time: then it waits, and continues by a claim. Always false without it. */
  isOverTime?(): boolean
}

/** Set by a step that must wait. */
export interface StepWait {
  stepId: string
  /** When the wait times out (epoch ms). */
  dueAt: number
  /** The name of the tracked event that ends the wait earlier, or null. */
  awaits: string | null
  /** State that the step needs when it is resumed. */
  note?: Json
  /** The step has not run yet: the run has used its time. */
  isPostponed?: true
}

/** A run in progress. A step that sets `ended` or `wait` stops it. */
export interface RunState {
  deps: RunDeps
  start: RunStart
  runId: number
  startedAt: number
  scope: TemplateScope & { awaited?: object }
  /** The events of the last digest as JSON, which the scope has parsed. */
  digest?: string
  /** Keys of the branches taken. */
  branches: string[]
  trace: TraceStep[]
  /** Characters of inputs in the trace. */
  inputChars: number
  messages: NewMessage[]
  /** Decisions that only the commit can make, in order. */
  gates: Gate[]
  ended: { state: Exclude<RunStatus, 'running' | 'waiting'>; stateReason: string | null } | null
  wait: StepWait | null
  /** The number of the wait that was resumed; 0 before the first. */
  waitNumber: number
  /** The steps that it passes over; null once it has reached its own. */
  again: AgainSteps | null
  /** True when the wait that was resumed stands before its step, because the run had used its time. */
  wasPostponed: boolean
  /** Steps that ran since the run was opened. */
  stepsRun: number
  /** The run has ended, and the steps from here on are only recorded. */
  isOver?: true
}

/** A wait with all data that its run needs to continue. */
export interface Suspended {
  wait: ClaimedWait
  run: Pick<WaitingRun, 'id' | 'version' | 'trace'>
  start: RunStart
  /** Size of its state and its event as JSON. */
  chars: number
}
