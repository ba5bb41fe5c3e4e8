// Renders the mail of a message again, from its stored content and layout, by the code that sends.

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts, SentMailAnswer } from '../../../contract/resources/mail.ts'
import type { Core } from '../../domain/core.ts'
import type { DeliveryRecord } from '../../domain/delivery/delivery-record.ts'
import type { Environment } from '../../domain/environment.ts'
import { frameOf } from '../../domain/mail/mail-frame.ts'
import type { MailLayout } from '../../domain/mail/mail-layout.ts'
import type { MailAddress } from '../../domain/mail/mail-provider.ts'
import type { LinkRules } from '../../domain/tenant/link-rules.ts'
import type { NotificationConfig } from '../../domain/tenant/notification-config.ts'
import { EMPTY_PROFILE, withDefaults } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { parseId } from '../../lib/id.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import { composePreview } from './compose-preview.ts'
import { hideQueries } from './hide-queries.ts'

type Taken = Pick<Core, 'deliveries' | 'campaigns' | 'configs' | 'users' | 'mailLayouts' | 'compose'> & {
  live: Pick<LiveCampaigns, 'load'>
  /** The sender where the config names none. `provider`: that which had the mail, if any had. */
  findSender(environmentId: number, provider: string | null): Promise<MailAddress>
}

/** @throws `message/not-found`, also for a message without the content of a mail; `campaign/invalid-definition` for its layout */
export type ReadSentMail = (
  environment: Pick<Environment, 'id' | 'notificationConfigId'>,
  messageId: string,
) => Promise<SentMailAnswer>

export function createReadSentMail(deps: Taken): ReadSentMail {
  return async function readSentMail(environment, messageId) {
    const id = parseId('message', messageId)
    const detail = id === undefined ? undefined : await deps.deliveries.find(environment.id, id)
    if (detail === undefined) throw new ApiError('message/not-found')
    const content: MessageContent & { email?: MailParts } = hideQueries(detail.snapshot)
    const { email } = content
    if (email === undefined) throw new ApiError('message/not-found', { message: 'This message has no mail.' })
    const { record } = detail
    const { categories, defaults, links } = await deps.live.load(environment.id)
    const { userId } = record
    const profile = (await deps.users.findManyBare(environment.id, [userId])).get(userId) ?? EMPTY_PROFILE
    const isCritical = content.category !== null && categories.get(content.category)?.critical === true
    const kept = await deps.mailLayouts.findOf(environment.id, record.id)
    const { layout, configChangedAt } =
      kept === undefined
        ? await findCurrentLayout(deps, environment, { record, isCritical, links })
        : { layout: kept, configChangedAt: null }
    const composed = await composePreview(deps.compose, {
      environmentId: environment.id,
      userId,
      content,
      look: layout.look ?? undefined,
      links: layout.links ?? links,
      from: layout.from,
      locale: withDefaults(profile, defaults).locale,
      isCritical: layout.isCritical,
    })
    return { ...composed, to: email.to, configChangedAt }
  }
}

/** Of a mail that was not handed over, or by a version that kept no layouts. */
async function findCurrentLayout(
  deps: Taken,
  environment: Pick<Environment, 'id' | 'notificationConfigId'>,
  { record, isCritical, links }: { record: DeliveryRecord; isCritical: boolean; links: LinkRules },
): Promise<{ layout: MailLayout; configChangedAt: string | null }> {
  const config = await findConfig(deps, environment, record)
  const from = await deps.findSender(environment.id, record.mail?.provider ?? null)
  const isChanged = config !== undefined && config.updatedAt > (record.acceptedAt ?? record.createdAt)
  return {
    layout: { look: config?.email ?? null, links: frameOf(config, links).links, from, isCritical },
    configChangedAt: isChanged ? toIso(config.updatedAt) : null,
  }
}

/** Finds the config that the mail's version names, or the environment's. A test of a draft may have no version. */
async function findConfig(
  { campaigns, configs }: Taken,
  environment: Pick<Environment, 'id' | 'notificationConfigId'>,
  { campaignId, version }: DeliveryRecord,
): Promise<NotificationConfig | undefined> {
  const published = await campaigns.findVersion(environment.id, campaignId, version)
  const definition = published?.definition ?? (await campaigns.find(environment.id, campaignId))?.draft
  const named = parseId('notificationConfig', definition?.notificationConfigId ?? '')
  const id = named ?? environment.notificationConfigId
  return id === null ? undefined : configs.find(id)
}
