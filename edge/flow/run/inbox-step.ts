// Runs a step `inbox`: one message for the user's inbox, or the record of one that could not be rendered (contract section 6).

import { TemplateError } from '../../domain/expression/template.ts'
import type { CompiledInboxStep } from '../../domain/steps/compiled.ts'
import { createFailedMessage, createInboxMessage } from '../create-message.ts'
import { addTrace, type Course, originOf } from './course.ts'

/** A template that fails to render fails the run, with the reason in the trace. */
export function runInboxStep(course: Course, step: CompiledInboxStep): void {
  const { start, deps } = course
  const at = deps.clock.now()
  const id = deps.ids.message.next()
  const origin = originOf(course, at)
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
