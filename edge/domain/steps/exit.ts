// The step `exit`: ends the run (contract section 6).

import type { ExitStep } from '../campaign.ts'
import type { CompiledExitStep } from './compiled.ts'
import type { Reader } from './reader.ts'

const MAX_REASON_CHARS = 200

export function parseExitStep(reader: Reader, id: string): ExitStep {
  const reason = reader.optionalText('reason', MAX_REASON_CHARS)
  return reason === undefined ? { id, type: 'exit' } : { id, type: 'exit', reason }
}

export function compileExitStep(step: ExitStep): CompiledExitStep {
  return { type: 'exit', id: step.id, reason: step.reason ?? null }
}
