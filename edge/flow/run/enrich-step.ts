// Runs a step `enrich`: the run waits as a job while its call is made, never the request that began it (contract sections 6 and 8).

import { type EnricherResult, failureReason } from '../../domain/enricher.ts'
import { TemplateError } from '../../domain/expression/template.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import { type TraceInputs, tellValue } from '../../domain/run/trace-inputs.ts'
import type { CompiledEnrichStep } from '../../domain/steps/compiled.ts'
import { addTrace, type Course, settleTrace } from './course.ts'
import { failByTemplate, failUnsent } from './gates/divert.ts'
import type { Wake } from './wake.ts'

/** An answer that is kept needs no wait. The params are rendered once: each attempt asks the same. */
export function runEnrichStep(course: Course, step: CompiledEnrichStep): void {
  const { start, deps, scope } = course
  const at = deps.clock.now()
  try {
    const params = step.renderParams(scope) as JsonObject
    const call = {
      environmentId: start.environment.id,
      name: step.enricher,
      params,
      user: start.user,
      event: start.event,
    }
    const kept = start.isTest ? undefined : deps.findCached?.(call)
    const inputs = { enricher: step.enricher, params: tellValue(params) }
    if (kept !== undefined) {
      keep(course, step, kept.data)
      const reason = `${step.enricher}: kept from an earlier call`
      addTrace(course, step, 'done', reason, at, { ...inputs, ...tellResult(kept) })
      return
    }
    course.wait = { stepId: step.id, dueAt: at, awaits: null, note: params }
    addTrace(course, step, 'waiting', `for ${step.enricher}`, at, inputs)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    failByTemplate(course, step, error.message, at)
  }
}

/** A failure stops the run, with a record of what it would have sent, unless the step says that it goes on. */
export function resumeEnrichStep(course: Course, step: CompiledEnrichStep, wake: Wake): void {
  if (wake.by !== 'enricher') {
    settleTrace(course, step, 'skipped', 'the enricher was not asked')
    return
  }
  const { result } = wake
  if (result.ok) {
    keep(course, step, result.data)
    const reason = result.cached ? `${step.enricher}: kept from an earlier call` : step.enricher
    settleTrace(course, step, 'done', reason, tellResult(result))
    return
  }
  settleTrace(course, step, 'failed', failureReason(result), tellResult(result))
  if (step.goesOn) return
  failUnsent(course, step, 'enricher-error')
}

/** What came of the call: its size, or the typed error. */
function tellResult(result: EnricherResult): TraceInputs {
  const { attempts } = result
  return result.ok ? { answerBytes: result.bytes, cached: result.cached, attempts } : { error: result.code, attempts }
}

function keep(course: Course, step: CompiledEnrichStep, data: Json): void {
  course.scope.enriched = { ...course.scope.enriched, [step.id]: data }
}
