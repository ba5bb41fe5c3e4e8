// The step `throttle`: so many runs of a user go past it in a window (contract section 6). Who goes past is decided by the commit.

import { findDurationMs } from '../../lib/duration.ts'
import type { ThrottleStep } from '../campaign.ts'
import type { CompiledThrottleStep } from './compiled.ts'
import type { Reader } from './reader.ts'
import { readCount, readWindow } from './window.ts'

const MOST_IN_WINDOW = 1_000_000

export function parseThrottleStep(reader: Reader, id: string): ThrottleStep {
  if (!reader.has('limit')) reader.fault('limit', 'This is missing.')
  const limit = readCount(reader, 'limit', MOST_IN_WINDOW) ?? 1
  return { id, type: 'throttle', limit, window: readWindow(reader) }
}

export function compileThrottleStep(step: ThrottleStep): CompiledThrottleStep {
  return { type: 'throttle', id: step.id, limit: step.limit, windowMs: findDurationMs(step.window) ?? 0 }
}
