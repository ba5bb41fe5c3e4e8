// Gathers a user's events of a window for one run. Each run waits as if it were the first of its window; the commit
// decides.

import { findDurationMs } from '../../../contract/duration.ts'
import { toIso } from '../../lib/clock.ts'
import type { RunState } from '../compiled.ts'
import { compileOptional, renderKey } from '../message.ts'
import { gatherEvents } from '../run-state.ts'
import { failByTemplate, orFail, skipRun } from '../skip-run.ts'
import { addTrace, formatValue, settleTrace } from '../trace.ts'
import { count, optional, template, window } from './fields.ts'
import { defineStep } from './step-type.ts'

/** Limits the events that a template gets at once; also the default of `max`. */
const MOST_DIGESTED = 1000

export const digestStep = defineStep('digest', {
  description: "Gathers a user's events of a window for one run.",
  fields: () => ({
    window: window(),
    key: template().nullish().describe('Liquid template: events with different keys are gathered separately.'),
    max: optional(count(MOST_DIGESTED)),
  }),
  oncePerRun: 'A run passes at most one digest, and another one is before this one.',
  compile({ id, type, window, key: keySource, max: most }) {
    const max = most ?? MOST_DIGESTED
    const windowMs = findDurationMs(window) ?? 0
    const keyTemplate = compileOptional(keySource)

    function openGate(run: RunState, key: string, closesAt: number) {
      const { start } = run
      return {
        kind: 'digest' as const,
        runId: run.runId,
        campaignId: start.campaign.campaign.id,
        version: start.campaign.version,
        stepId: id,
        userId: start.user.id,
        key,
        max,
        eventId: start.eventId,
        eventBytes: JSON.stringify(start.event.properties).length,
        closesAt,
      }
    }

    return {
      id,
      type,
      inner: [],
      get readsProfile() {
        return keyTemplate?.readsProfile === true
      },
      get isPlain() {
        return keyTemplate?.isPlain !== false
      },
      endsBy: { by: 'events' },
      /** A test gathers nothing: it continues at once with its own event. */
      run(run) {
        const at = run.deps.clock.now()
        if (run.start.isTest) {
          addTrace(run, this, 'done', 'a test gathers its own event alone', at)
          return
        }
        orFail(
          () => {
            const key = renderKey(keyTemplate, run.scope, 'key') ?? ''
            const closesAt = at + windowMs
            const inputs = { key: formatValue(key), windowMs, max }
            run.gates.push({ ...openGate(run, key, closesAt), otherwise: skipRun(run, this, 'digested', inputs) })
            run.wait = { stepId: id, dueAt: closesAt, awaits: null }
            const times = { from: toIso(at), until: toIso(closesAt) }
            addTrace(run, this, 'waiting', `until ${toIso(closesAt)}`, at, { ...inputs, ...times })
          },
          (error) => failByTemplate(run, this, error, at),
        )
      },
      /** The window is closed, so templates now see the events that it gathered. */
      resume(run, reason) {
        if (reason.by !== 'events') throw new Error(`digest resumed without its events: ${reason.by}`)
        gatherEvents(run, reason.events)
        const { count } = reason
        settleTrace(run, this, 'done', `${count} ${count === 1 ? 'event' : 'events'}`, { events: count })
      },
    }
  },
})
