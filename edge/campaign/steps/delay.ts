// Makes the run wait for a duration, until a time, or until the user's quiet hours are over.

import { z } from 'zod'
import { findDurationMs } from '../../../contract/duration.ts'
import { findInstant } from '../../../contract/instant.ts'
import { toIso } from '../../lib/clock.ts'
import type { RunState } from '../compiled.ts'
import { type Template, TemplateError } from '../expression/template.ts'
import { compileOptional } from '../message.ts'
import { failByTemplate, orFail } from '../skip-run.ts'
import { addTrace, settleTrace } from '../trace.ts'
import { fullTemplate, isConstant, MAX_WAIT_MS, optional, span, WAIT_RULE } from './fields.ts'
import { defineStep, has } from './step-type.ts'

const WAYS = ['for', 'until', 'untilQuietHoursEnd']

export const delayStep = defineStep('delay', {
  description: 'The run waits. Exactly one of `for`, `until` and `untilQuietHoursEnd`.',
  fields: () => ({
    for: optional(span()),
    until: optional(timeTemplate()),
    untilQuietHoursEnd: optional(z.literal(true)),
  }),
  check(written, context) {
    const given = WAYS.filter((key) => has(written, key))
    if (given.length !== 1) {
      context.fault(given[1] ?? 'for', 'A delay has exactly one of for, until and untilQuietHoursEnd.')
    }
  },
  compile({ id, type, for: span, until: untilSource, untilQuietHoursEnd: untilQuietEnd }) {
    const untilQuietHoursEnd = untilQuietEnd === true
    const forMs = span == null ? 0 : (findDurationMs(span) ?? 0)
    const until = compileOptional(untilSource)

    function findEnd({ scope, start }: RunState, now: number): number {
      if (untilQuietHoursEnd) return start.policy.findQuietEnd(now) ?? now
      return until === null ? now + forMs : renderTime(until, scope, now)
    }

    return {
      id,
      type,
      inner: [],
      get readsProfile() {
        return until?.readsProfile === true || untilQuietHoursEnd
      },
      get isPlain() {
        return until?.isPlain !== false
      },
      run(run) {
        const at = run.deps.clock.now()
        orFail(
          () => {
            const endsAt = findEnd(run, at)
            const inputs = { from: toIso(at), until: toIso(endsAt) }
            if (endsAt <= at) {
              addTrace(run, this, 'done', `${toIso(endsAt)} was over`, at, inputs)
              return
            }
            run.wait = { stepId: id, dueAt: endsAt, awaits: null }
            addTrace(run, this, 'waiting', `until ${toIso(endsAt)}`, at, inputs)
          },
          (error) => failByTemplate(run, this, error, at),
        )
      },
      resume(run) {
        settleTrace(run, this, 'done')
      },
    }
  },
})

/** A template of a time, or Unix time as a number, which is stored as its text. What prints nothing must be a time itself. */
function timeTemplate() {
  const template = fullTemplate().refine((source) => !isConstant(source) || parseTime(source) !== undefined, NO_TIME)
  return z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), template)
    .meta({
      description:
        'Liquid template of an ISO 8601 time with its offset, of a date (midnight in UTC), or of Unix time; or Unix time as a number.',
      anyOf: [{ type: 'string', format: 'liquid' }, { type: 'number' }],
    })
}

const NO_TIME = 'This must be an ISO 8601 time with its offset, a date, Unix time, or a template of one of them.'
const DATE = /^\d{4}-\d{2}-\d{2}$/
const UNIX_TIME = /^-?\d+(?:\.\d+)?$/

/** @returns Epoch ms; undefined for what is no time. A template prints numbers as text, too. */
function parseTime(written: string): number | undefined {
  const text = written.trim()
  return findInstant(UNIX_TIME.test(text) ? Number(text) : DATE.test(text) ? `${text}T00:00Z` : text)
}

/** @returns The time (epoch ms). @throws TemplateError when it is invalid or too far away */
function renderTime(until: Template, scope: RunState['scope'], now: number): number {
  const text = until.render(scope).trim()
  const endsAt = parseTime(text)
  if (endsAt === undefined)
    throw new TemplateError(`"${text.slice(0, 60)}" is no ISO 8601 time with its offset, and no Unix time.`)
  if (endsAt - now > MAX_WAIT_MS) throw new TemplateError(`${text} is too far away. ${WAIT_RULE}`)
  return endsAt
}
