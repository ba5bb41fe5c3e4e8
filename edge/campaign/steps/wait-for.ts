// Makes the run wait for another event of the same user, or until a timeout, and then takes one of two ways.

import { findDurationMs } from '../../../contract/duration.ts'
import type { Json } from '../../../contract/json.ts'
import type { Arrival } from '../../domain/run/arrival.ts'
import type { TraceInputs } from '../../domain/tracked-event.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import type { NotYet, ResumeReason, RunState, Suspended } from '../compiled.ts'
import { mustCompileCondition } from '../expression/condition.ts'
import { addTrace, findWaiting, formatOperands, formatValue, settleTrace, withArrivals } from '../trace.ts'
import { condition, eventName, optional, span } from './fields.ts'
import { defineStep, type StepList } from './step-type.ts'

const listOrNone = (steps: StepList) =>
  steps
    .nullable()
    .overwrite((list) => list ?? [])
    .default(() => [])

export const waitForStep = defineStep('waitFor', {
  description: 'Waits for another event of the same user: `then` when it comes, `onTimeout` when it does not.',
  fields: (steps) => ({
    event: eventName(),
    timeout: span(),
    then: listOrNone(steps),
    onTimeout: listOrNone(steps),
    where: optional(condition()),
  }),
  lists: [['then'], ['onTimeout']],
  bringsAwaited: true,
  ways: () => ['taken', 'not-taken'],
  check: (written, context) => context.checkAwaited('where', written.where),
  compile({ id, type, event, timeout, where: whereSource, then, onTimeout }, { compileSteps }) {
    const timeoutMs = findDurationMs(timeout) ?? 0
    const where = whereSource == null ? null : mustCompileCondition(whereSource)
    const thenSteps = compileSteps(then ?? [])
    const whenOver = compileSteps(onTimeout ?? [])

    /** Finds the first event for which the condition holds; without one the run continues to wait. */
    function judge({ wait, start }: Suspended, arrivals: Arrival[], now: number): ResumeReason | NotYet {
      const checked: Json[] = []
      for (const { name, properties, occurredAt, eventId } of arrivals) {
        const awaited = { name, userId: start.user.id, properties, occurredAt: toIso(occurredAt) }
        const { event, user } = start
        const scope = { event, user, enriched: wait.runState.enriched ?? {}, awaited }
        const verdict = where?.evaluate(scope)
        const holds = verdict === undefined || verdict.holds
        const arrived = formatId('event', eventId)
        checked.push({
          eventId: arrived,
          holds,
          ...(!holds && { reason: verdict.reason }),
          ...(where !== null && formatOperands([where], scope)),
        })
        if (holds) return { by: 'event', awaited, eventId: arrived, checked }
      }
      return Math.max(now, wait.claimedAt) >= wait.dueAt ? { by: 'timer', checked } : { by: 'none', checked }
    }

    return {
      id,
      type,
      inner: [thenSteps, whenOver],
      whenOver,
      readsProfile: where?.readsProfile === true,
      isPlain: where?.isPlain !== false,
      endsBy: { by: 'event', event, judge },
      run(run) {
        const at = run.deps.clock.now()
        const dueAt = at + timeoutMs
        run.wait = { stepId: id, dueAt, awaits: event }
        const read = where === null ? null : formatValue(where.source)
        const inputs = { event, where: read, from: toIso(at), until: toIso(dueAt) }
        addTrace(run, this, 'waiting', `for ${event} until ${toIso(dueAt)}`, at, inputs)
      },
      resume(run, reason, runSteps) {
        if (reason.by === 'event') {
          run.scope.awaited = reason.awaited
          const came = `${event} came: ${reason.eventId}`
          settleTrace(run, this, 'taken', came, arrivalsOf(run, id, reason.checked))
          runSteps(run, thenSteps)
          return
        }
        const arrivals = arrivalsOf(run, id, reason.by === 'timer' ? reason.checked : undefined)
        settleTrace(run, this, 'not-taken', `${event} did not come in time${whyLast(arrivals)}`, arrivals)
        runSteps(run, whenOver)
      },
      skip(run, unsent, skipSteps) {
        addTrace(run, this, 'skipped', unsent.statusReason, run.deps.clock.now(), undefined, unsent.statusReason)
        skipSteps(run, whenOver)
      },
    }
  },
})

/** Includes the events of earlier checks that did not end the wait. */
function arrivalsOf(run: RunState, stepId: string, checked: Json[] | undefined): TraceInputs {
  const { arrivals, arrived } = withArrivals(findWaiting(run, stepId)?.inputs, checked)
  return { arrivals: arrivals ?? 0, arrived: arrived ?? [] }
}

/** Says why the last event that came did not end the wait; empty without one. */
function whyLast({ arrived }: TraceInputs): string {
  const last = Array.isArray(arrived) ? arrived.at(-1) : undefined
  if (typeof last !== 'object' || last === null || !('reason' in last)) return ''
  return `; ${last.eventId}: ${last.reason}`
}
