// The step `waitFor`: waits for another event of the same user, or until its time is over (contract section 6).

import { findDurationMs } from '../../lib/duration.ts'
import type { Step, WaitForStep } from '../campaign.ts'
import { findEventNameFault } from '../tracking/event-name.ts'
import { mustCompileCondition, type ParseSteps } from './branch.ts'
import type { CompiledStep, CompiledWaitForStep } from './compiled.ts'
import { readSpan } from './delay.ts'
import type { Reader } from './reader.ts'

export function parseWaitForStep(reader: Reader, id: string, parseSteps: ParseSteps): WaitForStep {
  const event = reader.raw('event')
  const fault = findEventNameFault(event)
  if (fault !== undefined) {
    const message = fault.reason === 'missing' ? 'This is missing.' : `This is no event name: ${fault.reason}.`
    reader.fault('event', message, fault.position)
  }
  const where = reader.condition('where', true)
  if (!reader.has('timeout')) reader.fault('timeout', 'This is missing.')
  const timeout = readSpan(reader, 'timeout') ?? ''
  const step: WaitForStep = {
    id,
    type: 'waitFor',
    event: typeof event === 'string' ? event : '',
    timeout,
    then: parseSteps(reader, 'then'),
    onTimeout: parseSteps(reader, 'onTimeout'),
  }
  return where === undefined ? step : { ...step, where }
}

export function compileWaitForStep(
  step: WaitForStep,
  compileSteps: (steps: Step[]) => CompiledStep[],
): CompiledWaitForStep {
  return {
    type: 'waitFor',
    id: step.id,
    event: step.event,
    where: step.where === undefined ? null : mustCompileCondition(step.where),
    timeoutMs: findDurationMs(step.timeout) ?? 0,
    whenCame: compileSteps(step.then),
    whenOver: compileSteps(step.onTimeout),
  }
}
