// The step `digest`: gathers a user's events of a window for one run (contract section 6). Which run waits, and which join it,
// is decided by the commit.

import { findDurationMs } from '../../lib/duration.ts'
import type { DigestStep, Step } from '../campaign.ts'
import { mustCompileTemplate } from '../expression/template.ts'
import type { CompiledDigestStep } from './compiled.ts'
import type { Reader } from './reader.ts'
import { readCount, readWindow } from './window.ts'

/** As many as a template is given at once; also what stands where no `max` is written. */
export const MOST_DIGESTED = 1000

export function parseDigestStep(reader: Reader, id: string): DigestStep {
  const step: DigestStep = { id, type: 'digest', window: readWindow(reader) }
  const key = reader.template('key', 'text')
  if (key !== undefined) step.key = key
  else if (reader.isNull('key')) step.key = null
  const max = readCount(reader, 'max', MOST_DIGESTED)
  if (max !== undefined) step.max = max
  return step
}

export function compileDigestStep(step: DigestStep): CompiledDigestStep {
  return {
    type: 'digest',
    id: step.id,
    windowMs: findDurationMs(step.window) ?? 0,
    key: step.key == null ? null : mustCompileTemplate(step.key, 'text'),
    max: step.max ?? MOST_DIGESTED,
  }
}

/**
 * The path of the second digest on one way through the steps, if there is one: a run that has gathered events cannot join
 * another with them. Ways that exclude each other may have one each.
 */
export function findSecondDigest(steps: readonly Step[]): string | undefined {
  return walk(steps, 'steps', false).second
}

interface Walked {
  /** Whether a way through these steps may have passed a digest. */
  passed: boolean
  second: string | undefined
}

function walk(steps: readonly Step[], path: string, before: boolean): Walked {
  let passed = before
  for (const [index, step] of steps.entries()) {
    const at = `${path}[${index}]`
    if (step.type === 'digest') {
      if (passed) return { passed, second: at }
      passed = true
      continue
    }
    let after = passed
    for (const [below, list] of listsIn(step)) {
      const walked = walk(list, `${at}.${below}`, passed)
      if (walked.second !== undefined) return walked
      after ||= walked.passed
    }
    passed = after
  }
  return { passed, second: undefined }
}

/** The lists of steps in a step, of which a run takes one at most. */
function listsIn(step: Step): [path: string, steps: Step[]][] {
  if (step.type === 'branch') return step.branches.map((branch, index) => [`branches[${index}].steps`, branch.steps])
  return step.type === 'waitFor'
    ? [
        ['then', step.then],
        ['onTimeout', step.onTimeout],
      ]
    : []
}
