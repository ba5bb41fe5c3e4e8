// Compiles what a trial tries: the stored draft of a campaign, or a definition that is not saved.

import { compileCampaign } from '../../campaign/compile.ts'
import type { CompiledCampaign } from '../../campaign/compiled.ts'
import type { Core } from '../../domain/core.ts'
import type { ChooseTexts } from '../texts/choose-texts.ts'
import { type CheckDraft, checkDraftOf } from './check-draft.ts'
import { getCampaign } from './read-campaigns.ts'

export type TriedDeps = Pick<Core, 'campaigns'> & { chooseTexts: ChooseTexts; checkDraft: CheckDraft }

/** Compiles the draft, or a definition in its place, as the version that publishing would create. */
export async function compileTried(
  deps: TriedDeps,
  environmentId: number,
  campaignId: string,
  definition: object | undefined,
): Promise<CompiledCampaign> {
  const { campaign, draft, chosen } = await chooseTried(deps, environmentId, campaignId, definition)
  const version = (campaign.currentVersion ?? 0) + 1
  return compileCampaign({ campaign, version, definition: draft, ...(chosen.texts && { texts: chosen.texts }) })
}

/** Finds the draft, or a definition in its place, with the texts that it uses now. */
export async function chooseTried(
  { campaigns, chooseTexts, checkDraft }: TriedDeps,
  environmentId: number,
  campaignId: string,
  definition: object | undefined,
) {
  const campaign = await getCampaign(campaigns, environmentId, campaignId)
  return definition === undefined
    ? { campaign, draft: campaign.draft, chosen: await chooseTexts(environmentId, campaign.draft) }
    : { campaign, ...(await checkDraftOf(checkDraft, campaign, definition)) }
}
