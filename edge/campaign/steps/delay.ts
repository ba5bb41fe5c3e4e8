// Makes the run wait for a duration, until a time, or until the user's quiet hours are over.

import { z } from 'zod'
import { toIso } from '../../lib/clock.ts'
import { findDurationMs } from '../../lib/duration.ts'
import { findInstant } from '../../lib/instant.ts'
import type { RunState } from '../compiled.ts'
import { type Template, TemplateError } from '../expression/template.ts'
import { compileOptional } from '../message.ts'
import { failByTemplate, orFail } from '../skip-run.ts'
import { addTrace, settleTrace } from '../trace.ts'
import { fullTemplate, MAX_WAIT_MS, optional, span, WAIT_RULE } from './fields.ts'
import { defineStep, has } from './step-type.ts'

const WAYS = ['for', 'until', 'untilQuietHoursEnd']

export const delayStep = defineStep('delay', {
  description: 'The run waits. Exactly one of `for`, `until` and `untilQuietHoursEnd`.',
  fields: () => ({
    for: optional(span()),
    until: optional(
      fullTemplate().describe(
        'Liquid template of an ISO 8601 time with its offset, of a date (midnight in UTC), or of Unix time.',
      ),
    ),
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
      readsProfile: until?.readsProfile === true || untilQuietHoursEnd,
      isPlain: until?.isPlain !== false,
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

const DATE = /^\d{4}-\d{2}-\d{2}$/
const UNIX_TIME = /^-?\d+(?:\.\d+)?$/

/** Parses the time (epoch ms). @throws TemplateError when it is invalid or too far away */
function renderTime(until: Template, scope: RunState['scope'], now: number): number {
  const text = until.render(scope).trim()
  // A template prints numbers as text, too. A date without time is midnight in UTC; a time needs an offset.
  const written = UNIX_TIME.test(text) ? Number(text) : DATE.test(text) ? `${text}T00:00Z` : text
  const endsAt = findInstant(written)
  if (endsAt === undefined)
    throw new TemplateError(`"${text.slice(0, 60)}" is no ISO 8601 time with its offset, and no Unix time.`)
  if (endsAt - now > MAX_WAIT_MS) throw new TemplateError(`${text} is too far away. ${WAIT_RULE}`)
  return endsAt
}
