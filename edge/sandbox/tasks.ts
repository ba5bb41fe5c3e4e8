// Defines what crosses to a sandbox and back: plain data, with definitions in place of compiled campaigns.

import type { MessageContent } from '../../contract/api.ts'
import type { ErrorCode, ErrorDetail } from '../../contract/errors.ts'
import type { LayoutFormat } from '../../contract/tenant.ts'
import type { EventScope, MessageDefaults, NotYet, ResumeReason, RunStart, Suspended } from '../campaign/compiled.ts'
import type { CampaignDefinition } from '../campaign/definition.ts'
import type { Begun, Doubtful, DryRunResult, HeldScope } from '../campaign/evaluator.ts'
import type { Verdict } from '../campaign/expression/condition.ts'
import type { TemplateFault, TemplateScope } from '../campaign/expression/template.ts'
import type { Continued } from '../campaign/run.ts'
import type { PolicyData } from '../campaign/send-policy.ts'
import type { TextsToCheck } from '../campaign/text-faults.ts'
import type { CampaignHead } from '../domain/campaign.ts'
import type { ComposeInput, MailComposer } from '../domain/mail/compose-mail.ts'
import type { OwnLinks } from '../domain/mail/mail-links.ts'
import type { Arrival } from '../domain/run/arrival.ts'
import type { ApiErrorExtra } from '../lib/api-error.ts'

export interface SentCampaign {
  campaign: CampaignHead
  version: number
  /** The same object for all tasks of a version: a message with many of them has it once. */
  written: WrittenCampaign
}

/** JSON texts: they are copied fast, and compiled once. */
export interface WrittenCampaign {
  definition: string
  /** Null: it uses none. */
  texts: string | null
}

/** `properties` is JSON text: large ones are copied fast, and parsed where they are read. */
export type Sent<T extends { properties: object }> = Omit<T, 'properties'> & { properties: string }

export interface SentStart extends Omit<RunStart, 'campaign' | 'policy' | 'event'> {
  campaign: SentCampaign
  policy: PolicyData
  event: Sent<EventScope>
}

export type SentScope = Omit<HeldScope, 'event'> & { event: Sent<EventScope> }

export type SentSuspended = Omit<Suspended, 'start'> & { start: SentStart }

export type ComposedParts = Awaited<ReturnType<MailComposer['compose']>>

/** The tasks by name: what each one gets, and what it answers. */
export interface Tasks {
  begin: { input: { start: SentStart; runId: number }; output: Begun }
  continue: { input: { suspended: SentSuspended; reason: ResumeReason }; output: Continued }
  judge: { input: { suspended: SentSuspended; arrivals: Sent<Arrival>[] }; output: ResumeReason | NotYet }
  check: { input: { definition: unknown }; output: CampaignDefinition }
  'find-links': { input: { definition: object; schemes: readonly string[] }; output: ErrorDetail[] }
  holds: { input: { condition: string; scopes: SentScope[] }; output: Verdict[] }
  'dry-run': { input: { start: SentStart; runId: number; ignoresTrigger: boolean }; output: DryRunResult & Doubtful }
  preview: {
    input: { campaign: SentCampaign; stepId: string; scope: TemplateScope; defaults: MessageDefaults }
    output: MessageContent & Doubtful
  }
  'check-texts': { input: TextsToCheck; output: ErrorDetail[] }
  'check-layout': { input: { layout: string; layoutFormat: LayoutFormat }; output: TemplateFault | null }
  /** Links of a mail are signed where the keys are: `mark` and the place of its target stand for each of them. */
  compose: {
    input: OwnLinks & { mail: ComposeInput; publicUrl: string; openUrl: string; mark: string }
    output: { mail: ComposedParts; targets: string[] }
  }
}

export type TaskName = keyof Tasks

const NAMES: Record<TaskName, true> = {
  ...{ begin: true, continue: true, judge: true, check: true, holds: true, 'dry-run': true, preview: true },
  ...{ 'find-links': true, 'check-texts': true, 'check-layout': true, compose: true },
}
/** For the metrics: each has its series from the start. */
export const TASK_NAMES = Object.keys(NAMES) as TaskName[]

/** A task as it crosses. */
export interface SentTask<Name extends TaskName = TaskName> {
  does: Name
  input: Tasks[Name]['input']
  /** The time of the caller's clock (epoch ms). */
  now: number
  /** Steps whose expressions are not evaluated, as they ended a process; `trigger` is the condition of the campaign's. */
  refused: string[]
  /** Report each step before it is evaluated. */
  isTraced: boolean
}

/** `api`: it is an error that callers see. */
export interface SentError {
  name: string
  message: string
  stack: string
  api?: { code: ErrorCode; extra: ApiErrorExtra }
}

export type SentAnswer =
  | { is: 'done'; output: unknown; tookMs: number }
  | { is: 'failed'; error: SentError; tookMs: number }

/** From a sandbox: the next answers in the order of the tasks, or the step that is evaluated next. */
export type SandboxMessage = { answers: SentAnswer[] } | { at: string }
