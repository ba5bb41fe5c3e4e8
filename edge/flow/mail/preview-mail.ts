// Previews a mail with its layout and inlined styles, by the code that composes it for sending.

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import type { Core } from '../../domain/core.ts'
import { frameOf } from '../../domain/mail/mail-frame.ts'
import type { MailAddress } from '../../domain/mail/mail-provider.ts'
import { parseId } from '../../lib/id.ts'
import { getCampaign } from '../campaigns/read-campaigns.ts'
import type { TryCampaign } from '../campaigns/try-campaign.ts'
import type { Tried } from '../doubts/tell-doubts.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import { composePreview } from './compose-preview.ts'

/** A preview of an inbox step stays as it is. Throws like the preview, and for a layout that cannot be rendered. */
export function createPreviewMail(
  deps: Pick<Core, 'campaigns' | 'configs' | 'compose'> & {
    preview: TryCampaign['preview']
    live: Pick<LiveCampaigns, 'load'>
    /** The sender where the config names none. */
    findSender(environmentId: number): Promise<MailAddress>
  },
): TryCampaign['preview'] {
  return async function previewMail(environment, campaignId, input) {
    const { doubts, ...content }: MessageContent & Tried & { email?: MailParts } = await deps.preview(
      environment,
      campaignId,
      input,
    )
    const told = doubts === undefined ? {} : { doubts }
    if (content.email === undefined) return { ...content, ...told }
    const { draft } = await getCampaign(deps.campaigns, environment.id, campaignId)
    // It was checked before it was rendered.
    const { category = null, notificationConfigId = null }: Partial<typeof draft> = input.definition ?? draft
    const set = await deps.live.load(environment.id)
    const configId = parseId('notificationConfig', notificationConfigId ?? '')
    const mail = {
      environmentId: environment.id,
      userId: input.user?.id ?? '',
      content,
      ...(configId === undefined ? set.mailFrameOf(null) : frameOf(await deps.configs.find(configId), set.links)),
      from: await deps.findSender(environment.id),
      locale: input.user?.locale ?? set.defaults.locale,
      isCritical: category !== null && set.categories.get(category)?.critical === true,
    }
    return { ...content, ...(await composePreview(deps.compose, mail)), ...told }
  }
}
