// Steps ready to run: templates and conditions compiled once per campaign version (house section 3).

import type { Condition } from '../expression/condition.ts'
import type { Template, TemplateScope } from '../expression/template.ts'
import type { CompiledEmailContent } from './email-content.ts'
import type { CompiledContent } from './message-content.ts'

export interface CompiledInboxStep {
  type: 'inbox'
  id: string
  content: CompiledContent
  collapseKey: Template | null
  /** Milliseconds from creation; null: never. */
  expiresAfterMs: number | null
}

export interface CompiledEmailStep {
  type: 'email'
  id: string
  content: CompiledEmailContent
  /** The inbox step whose message, once read, makes this mail needless. */
  unlessRead: string | null
}

export interface CompiledBranch {
  key: string
  when: Condition | null
  weight: number | null
  isElse: boolean
  steps: CompiledStep[]
}

export interface CompiledBranchStep {
  type: 'branch'
  id: string
  branches: CompiledBranch[]
}

export interface CompiledDelayStep {
  type: 'delay'
  id: string
  forMs: number | null
  /** In place of `forMs`: the time at which it is over. */
  until: Template | null
  /** In place of both: when the user's quiet hours are over. */
  untilQuietHoursEnd: boolean
}

export interface CompiledWaitForStep {
  type: 'waitFor'
  id: string
  event: string
  where: Condition | null
  timeoutMs: number
  whenCame: CompiledStep[]
  whenOver: CompiledStep[]
}

export interface CompiledEnrichStep {
  type: 'enrich'
  id: string
  enricher: string
  readsProfile: boolean
  /** Throws TemplateError. */
  renderParams(scope: TemplateScope): Record<string, unknown>
  /** After a failure, too. */
  goesOn: boolean
}

export interface CompiledExitStep {
  type: 'exit'
  id: string
  reason: string | null
}

export interface CompiledThrottleStep {
  type: 'throttle'
  id: string
  limit: number
  windowMs: number
}

export interface CompiledDigestStep {
  type: 'digest'
  id: string
  windowMs: number
  key: Template | null
  max: number
}

export type CompiledStep =
  | CompiledInboxStep
  | CompiledEmailStep
  | CompiledBranchStep
  | CompiledDelayStep
  | CompiledEnrichStep
  | CompiledWaitForStep
  | CompiledExitStep
  | CompiledThrottleStep
  | CompiledDigestStep
