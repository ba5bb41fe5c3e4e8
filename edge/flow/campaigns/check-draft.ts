// Checks a definition as it is written: alone, and against the texts, configs, senders and events of its environment.

import type { CampaignDefinition } from '../../campaign/definition.ts'
import type { Evaluator } from '../../campaign/evaluator.ts'
import type { Core } from '../../domain/core.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { WarnPaths } from '../event-names/warn-paths.ts'
import type { CheckSenders } from '../mail/check-senders.ts'
import type { ChooseTexts, ChosenTexts } from '../texts/choose-texts.ts'
import type { FindMissingEnrichers } from './find-missing-enrichers.ts'

/** What a definition is as a draft, with what its author should know. */
export interface CheckedDraft {
  draft: CampaignDefinition
  chosen: ChosenTexts
}

/** @throws `campaign/invalid-definition`, then the faults of its notification config */
export type CheckDraft = (environmentId: number, input: unknown) => Promise<CheckedDraft>

export type DraftChecks = {
  checkDefinition: Evaluator['check']
  findLinkFaults: Evaluator['findLinkFaults']
  chooseTexts: ChooseTexts
  findMissingEnrichers: FindMissingEnrichers
  warnPaths: WarnPaths
  /** @throws `notification/config-not-found`, or the 404 for another organisation's */
  checkConfig(environmentId: number, configId: string): Promise<unknown>
  checkSenders: CheckSenders
}

export function createCheckDraft(deps: Pick<Core, 'environments'> & DraftChecks): CheckDraft {
  return async (environmentId, input) => {
    const definition = await deps.checkDefinition(environmentId, input)
    const environment = await deps.environments.find(environmentId)
    const chosen = await deps.chooseTexts(environmentId, definition)
    const links = await deps.findLinkFaults(environmentId, definition, environment?.appSchemes ?? [])
    const faults = [...links, ...chosen.faults]
    if (faults.length > 0) throw new ApiError('campaign/invalid-definition', { details: faults })
    if (definition.notificationConfigId !== null) await deps.checkConfig(environmentId, definition.notificationConfigId)
    await deps.checkSenders(environmentId, definition)
    const [lacking = []] = await deps.findMissingEnrichers(environmentId, [definition])
    const unknown = await deps.warnPaths(environmentId, definition)
    return { draft: definition, chosen: { ...chosen, warnings: [...chosen.warnings, ...lacking, ...unknown] } }
  }
}

/**
 * Checks the draft of a campaign that is there, whose key it may omit.
 * @throws as `CheckDraft`, and `campaign/invalid-definition` for another key
 */
export async function checkDraftOf(checkDraft: CheckDraft, of: { environmentId: number; key: string }, input: unknown) {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  const checked = await checkDraft(of.environmentId, isObject && !('key' in input) ? { ...input, key: of.key } : input)
  if (checked.draft.key !== of.key) {
    throw new ApiError('campaign/invalid-definition', {
      details: [{ path: 'key', message: `The key of a campaign stays; this one is ${of.key}.` }],
    })
  }
  return checked
}
