// A campaign version ready to run: compiled once, cached by flow/live-campaigns (house section 3).

import { findDurationMs } from '../../lib/duration.ts'
import type { CampaignDefinition, CampaignHead } from '../campaign.ts'
import type { Condition } from '../expression/condition.ts'
import { mustCompileCondition } from './branch.ts'
import type { CompiledStep } from './compiled.ts'
import { compileSteps, stepsReadProfile } from './registry.ts'
import { stepsBelow } from './walk.ts'

export interface CompiledCampaign {
  campaign: CampaignHead
  version: number
  definition: CampaignDefinition
  where: Condition | null
  steps: CompiledStep[]
  /** How late a step may be that fell due during a pause. */
  maxLatenessMs: number
  /** True when the user's profile must be read before a run: none is when neither conditions nor templates ask for it. */
  readsProfile: boolean
  /** True when a mail depends on whether a message of the run was read: then that is read before the run goes on. */
  asksSeen: boolean
}

/** Throws when a stored definition has a fault after all. */
export function compileCampaign({
  campaign,
  version,
  definition,
}: Pick<CompiledCampaign, 'campaign' | 'version' | 'definition'>): CompiledCampaign {
  const where = definition.trigger.where === undefined ? null : mustCompileCondition(definition.trigger.where)
  const steps = compileSteps(definition.steps, definition.category)
  return {
    campaign,
    version,
    definition,
    where,
    steps,
    maxLatenessMs: findDurationMs(definition.maxLateness) ?? 0,
    asksSeen: asksSeen(steps),
    readsProfile: where?.readsProfile === true || stepsReadProfile(steps),
  }
}

function asksSeen(steps: readonly CompiledStep[]): boolean {
  return steps.some((step) => (step.type === 'email' ? step.unlessRead !== null : stepsBelow(step).some(asksSeen)))
}
