// Calls a customer's endpoint for data. The run waits as a job during the call, so that no request waits for it.

import { z } from 'zod'
import type { Json, JsonObject } from '../../../contract/json.ts'
import { type EnricherResult, failureReason } from '../../domain/enricher.ts'
import type { TraceInputs } from '../../domain/tracked-event.ts'
import type { RunState } from '../compiled.ts'
import { compileData } from '../message.ts'
import { failByTemplate, failRun, orFail } from '../skip-run.ts'
import { addTrace, formatValue, settleTrace } from '../trace.ts'
import { data, key, optional } from './fields.ts'
import { defineStep } from './step-type.ts'

export const enrichStep = defineStep('enrich', {
  description: 'Calls an enricher; its answer is `enriched.<id>`.',
  fields: () => ({
    enricher: key(),
    params: data()
      .nullable()
      .overwrite((params) => params ?? {})
      .default(() => ({})),
    onError: optional(z.enum(['stop', 'continue'])),
  }),
  compile({ id, type, enricher, params: paramSource, onError }) {
    const { render, templates } = compileData(paramSource ?? {})

    function keep(run: RunState, answer: Json): void {
      run.scope.enriched = { ...run.scope.enriched, [id]: answer }
    }

    return {
      id,
      type,
      inner: [],
      // The call contains the user's profile.
      readsProfile: true,
      get isPlain() {
        return templates.every((template) => template.isPlain)
      },
      endsBy: { by: 'enricher', enricher },
      /** A cached answer needs no wait. The params are rendered once, so that each attempt sends the same. */
      run(run) {
        const { start, deps } = run
        const at = deps.clock.now()
        orFail(
          () => {
            const params = render(run.scope) as JsonObject
            const { environment, user, event } = start
            const call = { environmentId: environment.id, name: enricher, params, user, event }
            const kept = start.isTest ? undefined : deps.findCached?.(call)
            const inputs = { enricher, params: formatValue(params) }
            if (kept === undefined) {
              run.wait = { stepId: id, dueAt: at, awaits: null, note: params }
              addTrace(run, this, 'waiting', `for ${enricher}`, at, inputs)
              return
            }
            keep(run, kept.data)
            const reason = `${enricher}: kept from an earlier call`
            addTrace(run, this, 'done', reason, at, { ...inputs, ...inputsOf(kept) })
          },
          (error) => failByTemplate(run, this, error, at),
        )
      },
      /** A failure ends the run, unless the step allows it to continue. */
      resume(run, reason) {
        if (reason.by !== 'enricher') {
          settleTrace(run, this, 'skipped', 'the enricher was not asked')
          return
        }
        const { result } = reason
        if (result.ok) {
          keep(run, result.data)
          const from = result.cached ? `${enricher}: kept from an earlier call` : enricher
          settleTrace(run, this, 'done', from, inputsOf(result))
          return
        }
        settleTrace(run, this, 'failed', failureReason(result), inputsOf(result), result.code)
        if (onError !== 'continue') failRun(run, this, 'enricher-error')
      },
    }
  },
})

/** Returns the result of the call for the trace: its size, or the typed error. */
function inputsOf(result: EnricherResult): TraceInputs {
  const { attempts } = result
  return result.ok ? { answerBytes: result.bytes, cached: result.cached, attempts } : { error: result.code, attempts }
}
