// Runs a step `inbox`: one message for the user's inbox, or the record of one that was kept back or could not be rendered (contract section 6).

import { TemplateError } from '../../domain/expression/template.ts'
import type { CompiledInboxStep } from '../../domain/steps/compiled.ts'
import { createInboxMessage, createUnsentMessage } from '../create-message.ts'
import { addTrace, type Course, originOf } from './course.ts'
import { failByTemplate } from './gates/divert.ts'

/** A template that fails to render fails the run, with the reason in the trace and a record of what would have been sent behind it. */
export function runInboxStep(course: Course, step: CompiledInboxStep): void {
  const { start, deps } = course
  const at = deps.clock.now()
  const id = deps.ids.message.next()
  const { category, name } = start.campaign.definition
  const verdict = start.policy.judge({ channel: 'inbox', category, at })
  if (verdict.verdict === 'skip') {
    const { statusReason, because } = verdict
    const unsent = { status: 'skipped', statusReason } as const
    course.messages.push(createUnsentMessage(id, step, originOf(course, at), unsent, category))
    addTrace(course, step, 'skipped', because, at, { verdict: 'skip', reason: statusReason })
    return
  }
  try {
    const wording = { locale: start.user.locale, fallbackTitle: name }
    course.messages.push(createInboxMessage(id, step, originOf(course, at), course.scope, wording))
    addTrace(course, step, 'done', null, at)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const unsent = { status: 'failed', statusReason: 'render-error' } as const
    course.messages.push(createUnsentMessage(id, step, originOf(course, at), unsent, category))
    failByTemplate(course, step, error.message, at)
  }
}
