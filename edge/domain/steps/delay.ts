// The step `delay`: waits for a span, or until a time (contract section 6).

import { findDurationMs } from '../../lib/duration.ts'
import { findInstant } from '../../lib/instant.ts'
import type { DelayStep } from '../campaign.ts'
import { mustCompileTemplate, TemplateError, type TemplateScope } from '../expression/template.ts'
import type { SendPolicy } from '../send-policy.ts'
import type { CompiledDelayStep } from './compiled.ts'
import type { Reader } from './reader.ts'

/** No run waits longer in one step. */
export const MAX_WAIT_MS = 366 * 24 * 60 * 60 * 1000
export const WAIT_RULE = 'A run waits at most a year (P366D).'

export function parseDelayStep(reader: Reader, id: string): DelayStep {
  const given = ['for', 'until', 'untilQuietHoursEnd'].filter((field) => reader.has(field))
  if (given.length !== 1) {
    reader.fault(given[1] ?? 'for', 'A delay has exactly one of for, until and untilQuietHoursEnd.')
  }
  const step: DelayStep = { id, type: 'delay' }
  const span = readSpan(reader, 'for')
  if (span !== undefined) step.for = span
  const until = reader.template('until', 'text')
  if (until?.trim() === '') reader.fault('until', 'This must not be empty.')
  if (until !== undefined) step.until = until
  if (reader.has('untilQuietHoursEnd') && reader.raw('untilQuietHoursEnd') !== true) {
    reader.fault('untilQuietHoursEnd', 'This must be true.')
  }
  if (reader.raw('untilQuietHoursEnd') === true) step.untilQuietHoursEnd = true
  return step
}

/** A duration that a run may wait for. */
export function readSpan(reader: Reader, key: string): string | undefined {
  const span = reader.duration(key)
  if (span !== undefined && (findDurationMs(span) ?? 0) > MAX_WAIT_MS) reader.fault(key, WAIT_RULE)
  return span
}

export function compileDelayStep(step: DelayStep): CompiledDelayStep {
  return {
    type: 'delay',
    id: step.id,
    forMs: step.for === undefined ? null : (findDurationMs(step.for) ?? 0),
    untilQuietHoursEnd: step.untilQuietHoursEnd === true,
    until: step.until === undefined ? null : mustCompileTemplate(step.until, 'text'),
  }
}

/** When the delay is over (epoch ms). Throws TemplateError when `until` renders to no time, or to one too far away. */
export function findDelayEnd(
  step: CompiledDelayStep,
  scope: TemplateScope,
  policy: Pick<SendPolicy, 'findQuietEnd'>,
  now: number,
): number {
  if (step.untilQuietHoursEnd) return policy.findQuietEnd(now) ?? now
  if (step.until === null) return now + (step.forMs ?? 0)
  const text = step.until.render(scope).trim()
  const endsAt = ISO_TIME.test(text) ? findInstant(text) : undefined
  if (endsAt === undefined) throw new TemplateError(`"${text.slice(0, 60)}" is no ISO 8601 time with its offset.`)
  if (endsAt - now > MAX_WAIT_MS) throw new TemplateError(`${text} is too far away. ${WAIT_RULE}`)
  return endsAt
}

/** A date alone is midnight in UTC; a time names its offset. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/
