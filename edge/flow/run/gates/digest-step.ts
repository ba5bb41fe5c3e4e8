// Runs a step `digest`: the run waits as if it were the first of its window, and the commit decides whether it is (contract section 6).

import { TemplateError } from '../../../domain/expression/template.ts'
import { tellValue } from '../../../domain/run/trace-inputs.ts'
import type { CompiledDigestStep } from '../../../domain/steps/compiled.ts'
import { renderKey } from '../../../domain/steps/message-content.ts'
import { toIso } from '../../../lib/clock.ts'
import { addTrace, type Course, settleTrace } from '../course.ts'
import type { Wake } from '../wake.ts'
import { divert, failByTemplate } from './divert.ts'

/** A test gathers nothing: it goes on at once, with its own event. */
export function runDigestStep(course: Course, step: CompiledDigestStep): void {
  const { start } = course
  const at = course.deps.clock.now()
  if (start.isTest) {
    addTrace(course, step, 'done', 'a test gathers its own event alone', at)
    return
  }
  try {
    const key = renderKey(step.key, course.scope, 'key') ?? ''
    const closesAt = at + step.windowMs
    const inputs = { key: tellValue(key), windowMs: step.windowMs, max: step.max }
    course.gates.push({
      kind: 'digest',
      runId: course.runId,
      campaignId: start.campaign.campaign.id,
      version: start.campaign.version,
      stepId: step.id,
      userId: start.user.id,
      key,
      max: step.max,
      eventId: start.eventId,
      eventBytes: JSON.stringify(start.event.properties).length,
      closesAt,
      otherwise: divert(course, step, 'digested', inputs),
    })
    course.wait = { stepId: step.id, dueAt: closesAt, awaits: null }
    addTrace(course, step, 'waiting', `until ${toIso(closesAt)}`, at, {
      ...inputs,
      from: toIso(at),
      until: toIso(closesAt),
    })
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    failByTemplate(course, step, error.message, at)
  }
}

/** Its window is closed: what it gathered is what templates see from here on. */
export function resumeDigestStep(course: Course, step: CompiledDigestStep, wake: Wake): void {
  if (wake.by !== 'events') throw new Error('A digest goes on with what it has gathered.')
  course.scope.events = wake.events as object[]
  const count = wake.events.length
  settleTrace(course, step, 'done', `${count} ${count === 1 ? 'event' : 'events'}`, { events: count })
}
