// Runs a step `email`: whether a mail would go, and its record (contract sections 6 and 7). No mail channel exists yet: one that
// would go is recorded as failed, and says so; the run goes on behind it.

import { TemplateError } from '../../domain/expression/template.ts'
import type { TraceInputs } from '../../domain/run/trace-inputs.ts'
import type { PolicyReason } from '../../domain/send-policy.ts'
import type { CompiledEmailStep } from '../../domain/steps/compiled.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import { createEmailSnapshot, createUnsentMessage, type Unsent } from '../create-message.ts'
import { addTrace, type Course, originOf } from './course.ts'
import { failUnsent } from './gates/divert.ts'

export const NO_MAIL_CHANNEL = 'this server sends no mail yet'

export function runEmailStep(course: Course, step: CompiledEmailStep): void {
  const { start, deps } = course
  const at = deps.clock.now()
  const { category, name } = start.campaign.definition
  const kept = findReasonToKeep(course, step, category, at)
  if (kept !== undefined) {
    const inputs = { verdict: 'skip', reason: kept.statusReason, ...tellSeen(course, step) }
    leave(course, step, at, { status: 'skipped', statusReason: kept.statusReason }, 'skipped', kept.because, inputs)
    return
  }
  try {
    const content = createEmailSnapshot(step, course.scope, { category, fallbackTitle: name })
    const unsent = { status: 'failed', statusReason: 'provider-error' } as const
    course.messages.push(
      createUnsentMessage(deps.ids.message.next(), step, originOf(course, at), unsent, category, content),
    )
    const inputs = { verdict: 'send', ...tellSeen(course, step) }
    addTrace(course, step, 'failed', `provider-error: ${NO_MAIL_CHANNEL}`, at, inputs)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const because = `render-error: ${error.message}`
    leave(course, step, at, { status: 'failed', statusReason: 'render-error' }, 'failed', because)
    failUnsent(course, step, 'render-error')
  }
}

/** The inbox step that its `unless` names, and whether the user has read that message. */
function tellSeen({ start }: Course, { unlessRead }: CompiledEmailStep): TraceInputs {
  return unlessRead === null ? {} : { unlessRead, isRead: start.seenSteps?.has(unlessRead) === true }
}

type Kept = { statusReason: PolicyReason | 'condition' | 'no-address'; because: string }

/** In the order in which a reason is told: the campaign's own condition, then what the user is, then what holds for the user. */
function findReasonToKeep(
  { start }: Course,
  step: CompiledEmailStep,
  category: string | null,
  at: number,
): Kept | undefined {
  const { unlessRead } = step
  if (unlessRead !== null && start.seenSteps?.has(unlessRead) === true) {
    return { statusReason: 'condition', because: `${unlessRead} was read in the inbox` }
  }
  if (start.user.email === null || start.user.email.trim() === '') {
    return { statusReason: 'no-address', because: 'the user has no e-mail address' }
  }
  const verdict = start.policy.judge({ channel: 'email', category, at })
  return verdict.verdict === 'skip' ? verdict : undefined
}

function leave(
  course: Course,
  step: CompiledEmailStep,
  at: number,
  unsent: Unsent,
  outcome: TraceStep['outcome'],
  because: string,
  inputs?: TraceInputs,
): void {
  const { category } = course.start.campaign.definition
  const id = course.deps.ids.message.next()
  course.messages.push(createUnsentMessage(id, step, originOf(course, at), unsent, category))
  addTrace(course, step, outcome, because, at, inputs)
}
