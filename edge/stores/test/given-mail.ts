// Provides the store suites with queued mails, and with short forms of their plans.

import type { CampaignStatus, StoredDefinition } from '../../domain/campaign.ts'
import type { ClaimedMail, MailChange, MailOutcome } from '../../domain/mail/mail.ts'
import type { NewMessage, TrackPlan } from '../../domain/plan.ts'
import { firstMessage, type Given, type PlanOptions, trackPlan, write } from './given.ts'

export const LEASE_MS = 15_000
export const HAND_OVER: MailChange = { does: 'hand-over', integrationId: 7, provider: 'smtp', layoutHash: 'hash' }
export const accepted = (providerMessageId: string | null = null): MailChange => ({ does: 'accept', providerMessageId })

/** Returns the plan of an event with one queued mail for each user. */
export function mailTrackPlan(given: Given, options: PlanOptions): TrackPlan {
  const plan = trackPlan(given, options)
  const messages = plan.messages.map((message): NewMessage => {
    const snapshot = JSON.stringify(contentFor(message.userId))
    return { ...message, channel: 'email', status: 'queued', snapshot, ...options.message }
  })
  return { ...plan, messages }
}

const contentFor = (userId: string) => ({
  title: 'Hello',
  body: '',
  data: {},
  email: { subject: 'Hello', html: '<p>Hi</p>', to: { name: null, address: `${userId}@example.com` } },
})

/** Writes one queued mail to `u1`; returns its message. */
export async function givenMail(given: Given, options: PlanOptions): Promise<NewMessage> {
  const plan = mailTrackPlan(given, { userIds: ['u1'], ...options })
  await write(given, plan)
  return firstMessage(plan)
}

/** Commits a change under a claim; a report with `fence` null. */
export async function changeMail(
  given: Given,
  { messageId, fence }: { messageId: number; fence: number | null },
  environmentId: number,
  change: MailChange,
): Promise<MailOutcome['mail']> {
  const plan = { kind: 'mail' as const, environmentId, messageId, fence, now: given.now(), change }
  return (await given.stores.commit.mail(plan)).mail
}

/** Commits a report that needs no claim. */
export function reportMail(
  given: Given,
  { id: messageId }: NewMessage,
  environmentId: number,
  status: 'accepted' | 'delivered' | 'bounced',
  over: { at?: number; providerMessageId?: string; error?: string } = {},
): Promise<MailOutcome['mail']> {
  const report = { at: given.now(), providerMessageId: null, error: null, ...over }
  return changeMail(given, { messageId, fence: null }, environmentId, { does: 'report', status, ...report })
}

export function claimMails(given: Given, limit = 500): Promise<ClaimedMail[]> {
  return given.stores.mails.claim(given.now(), LEASE_MS, limit)
}

/** Claims the only due mail. @throws Error when another number is due */
export async function claimOne(given: Given): Promise<ClaimedMail> {
  const [mail, ...others] = await claimMails(given)
  if (mail === undefined || others.length > 0) throw new Error(`${others.length + 1} mails claimed`)
  return mail
}

/** Ends claimed mails, so that no later test of the store meets them. */
export async function endMails(given: Given, claims: ClaimedMail[]): Promise<void> {
  const end: MailChange = { does: 'end', status: 'cancelled', reason: 'test', error: null }
  await Promise.all(claims.map((claim) => changeMail(given, claim, claim.environmentId, end)))
}

/** Creates a campaign, whose published version names the config. */
export async function givenCampaign(
  given: Given,
  environmentId: number,
  { config = null, status = 'active' }: { config?: string | null; status?: CampaignStatus } = {},
): Promise<number> {
  const id = given.id()
  const key = `c${id}`
  const draft: StoredDefinition = {
    key,
    name: key,
    category: null,
    notificationConfigId: null,
    maxLateness: 'PT24H',
    trigger: { event: 'order.shipped' },
    steps: [{ id: 'notify', type: 'email', subject: 'Hello', html: '<p>Hi</p>' }],
  }
  const names = { id, environmentId, key, name: key, category: null, drains: false, resumedAt: null, draft }
  const times = { createdAt: 1, updatedAt: 1 }
  await given.stores.campaigns.insertOnce({ ...names, ...times, status: 'draft', currentVersion: null })
  const definition = { ...draft, notificationConfigId: config }
  const version = { campaignId: id, version: 1, publishedAt: 1, definition, awaits: [] }
  await given.stores.campaigns.save({ ...names, ...times, status, currentVersion: 1, revision: 0 }, version)
  return id
}

/** Returns functions that queue and claim mails of a campaign, and read what became of them. */
export function mailsOf(given: Given) {
  async function recordOf(environmentId: number, { id }: NewMessage) {
    const detail = await given.stores.deliveries.find(environmentId, id)
    if (detail === undefined) throw new Error('no record')
    return detail
  }
  const statusOf = async (environmentId: number, message: NewMessage) =>
    (await recordOf(environmentId, message)).record.status
  const funnelOf = async (environmentId: number, campaignId: number) =>
    (await given.stores.funnels.slices(environmentId, campaignId, 'email', null))[0]

  /** Queues a mail of a campaign in a new environment. */
  async function givenQueued(over: Partial<NewMessage> & { isTest?: boolean } = {}) {
    const { isTest = false, ...message } = over
    const environmentId = given.environmentId()
    const campaignId = await givenCampaign(given, environmentId)
    return {
      environmentId,
      campaignId,
      message: await givenMail(given, { environmentId, campaignId, isTest, message }),
    }
  }

  /** Queues a mail and claims it. */
  async function givenClaimed(isTest = false) {
    const queued = await givenQueued({ isTest })
    const claim = await claimOne(given)
    return { ...queued, claim, change: (one: MailChange) => changeMail(given, claim, queued.environmentId, one) }
  }

  return { recordOf, statusOf, funnelOf, givenQueued, givenClaimed }
}
