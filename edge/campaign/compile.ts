// Compiles a checked definition into a campaign that is ready to run, once per version.

import { findDurationMs } from '../../contract/duration.ts'
import type { CompiledCampaign, CompiledStep } from './compiled.ts'
import { mustCompileCondition } from './expression/condition.ts'
import { STEP_TYPES } from './steps/registry.ts'
import type { AnyStep, CompileStep } from './steps/step-type.ts'
import { allSteps } from './walk.ts'

const TYPES: ReadonlyMap<string, { compile: CompileStep }> = new Map(STEP_TYPES.map((type) => [type.type, type]))

/** @throws When a stored definition has a fault, although it was checked when it was saved. */
export function compileCampaign({
  campaign,
  version,
  definition,
  texts,
}: Pick<CompiledCampaign, 'campaign' | 'version' | 'definition' | 'texts'>): CompiledCampaign {
  const where = definition.trigger.where == null ? null : mustCompileCondition(definition.trigger.where)
  const steps = compileSteps(definition.steps, definition.category)
  const all = allSteps(steps)
  const definitionChars = JSON.stringify(definition).length
  const isShort = isSmall(definitionChars, all)
  return {
    campaign,
    version,
    definition,
    chars: definitionChars + (texts === undefined ? 0 : JSON.stringify(texts).length),
    ...(texts && { texts }),
    where,
    steps,
    maxLatenessMs: findDurationMs(definition.maxLateness) ?? 0,
    needsSeenSteps: all.some((step) => step.needsSeenSteps === true),
    // Others are not asked, which would compile them here.
    isPlain: isShort && where?.isPlain !== false && all.every((step) => step.isPlain),
    readsProfile: !isShort || where?.readsProfile === true || all.some((step) => step.readsProfile),
  }
}

/** Small parts add up: campaigns with more are evaluated in a sandbox, however plain their parts are. */
const SMALL = { chars: 16_384, steps: 40, branches: 4 }

function isSmall(chars: number, steps: readonly CompiledStep[]): boolean {
  const branches = steps.filter(({ type }) => type === 'branch').reduce((sum, { inner }) => sum + inner.length, 0)
  if (steps.length > SMALL.steps || branches > SMALL.branches) return false
  return chars <= SMALL.chars
}

function compileSteps(steps: readonly AnyStep[], category: string | null): CompiledStep[] {
  return steps.map((step) => {
    const type = TYPES.get(step.type)
    if (type === undefined) throw new Error(`stored step has an unknown type: ${step.type}`)
    return type.compile(step, { category, compileSteps: (inner) => compileSteps(inner, category) })
  })
}
