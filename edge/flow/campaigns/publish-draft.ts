// Publishes the draft of a campaign as the next version, and checks first whether it can be published.

import { compileCampaign } from '../../campaign/compile.ts'
import { listAwaited } from '../../campaign/walk.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { NewVersion, StoredCampaign } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { ChosenTexts } from '../texts/choose-texts.ts'
import type { CheckDraft } from './check-draft.ts'
import { auditOf, changeStatus, NOT_ASKED, type SavedCampaign, save } from './save-campaign.ts'

/** A campaign with the version that publishing would store. */
export interface PublishPlan extends Pick<NewVersion, 'version' | 'definition' | 'awaits'> {
  changed: StoredCampaign
  chosen: ChosenTexts
}

type Taken = Pick<Core, 'campaigns' | 'bus' | 'clock'> & { checkDraft: CheckDraft }

/** Checks a draft as publishing does, also the steps that older rules allowed. @throws as `publishDraft` */
export async function planPublish(deps: Taken, campaign: StoredCampaign): Promise<PublishPlan> {
  const changed = changeStatus(campaign, 'publish', deps.clock.now())
  const { data: versions } = await deps.campaigns.listVersions(campaign.environmentId, campaign.id, null, 1)
  const [newest] = versions
  const version = (newest?.version ?? 0) + 1
  // Parsed again, because an older release may have saved the draft under other rules.
  const { draft: definition, chosen } = await deps.checkDraft(campaign.environmentId, campaign.draft)
  const awaits = listAwaited(compileCampaign({ campaign: changed, version, definition }).steps)
  return { changed, version, definition, awaits, chosen }
}

/**
 * Publishes the draft of a campaign at the revision that was read, and ends a request to publish it.
 * @param facts More of it for the audit log.
 * @returns Undefined when the campaign was changed since it was read.
 * @throws `campaign/invalid-transition`, `campaign/invalid-definition`, and the 404s of a notification config
 */
export async function publishDraft(
  deps: Taken,
  campaign: StoredCampaign,
  by: ChangedBy,
  note: string | undefined,
  facts: AuditEntry['detail'] = {},
): Promise<SavedCampaign | undefined> {
  return publishPlanned(deps, campaign, await planPublish(deps, campaign), { by, note, facts })
}

/** As `publishDraft`, for a draft that is checked. */
export async function publishPlanned(
  deps: Taken,
  campaign: StoredCampaign,
  { changed, version, definition, awaits, chosen }: PublishPlan,
  { by, note, facts }: { by: ChangedBy; note: string | undefined; facts: AuditEntry['detail'] },
): Promise<SavedCampaign | undefined> {
  const identity = { campaignId: campaign.id, version, publishedAt: changed.updatedAt, publishedBy: by.who }
  const written = { ...(chosen.texts && { texts: chosen.texts }), ...(note !== undefined && { note }) }
  const published: NewVersion = { ...identity, definition, awaits, ...written }
  const known = {
    from: campaign.status,
    fromVersion: campaign.currentVersion,
    version,
    ...(note && { note }),
    ...facts,
  }
  const next = { ...changed, ...NOT_ASKED, currentVersion: version }
  const saved = await save(deps, next, published, auditOf(changed, 'publish', by, known))
  return saved && { ...saved, warnings: chosen.warnings }
}
