// Takes what the addresses in mails report: an opening, a click, and the wish to get no more of them.

import type { RegisterResult } from '../../../contract/api.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Mails } from '../../domain/mail/mail.ts'
import type { DeliveryPlan } from '../../domain/plan.ts'
import type { SendRules } from '../../domain/sending/send-rules.ts'
import type { Clock } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import type { CommitPlan } from '../commit.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'

/** The mail that a signed address names. */
export interface FollowedMail {
  environmentId: number
  messageId: number
}

export interface FollowLinksDeps {
  mails: Pick<Mails, 'findOwn'>
  sendRules: Pick<SendRules, 'changePreferences'>
  live: Pick<LiveCampaigns, 'load'>
  commitPlan: CommitPlan
  bus: Pick<Bus, 'publish'>
  clock: Clock
}

/** What an unsubscribe page shows; `gone`: the message was removed. */
export type MailSubscription = 'gone' | 'critical' | { category: string | null }

export type FollowLinks = ReturnType<typeof createFollowLinks>

export function createFollowLinks({ mails, sendRules, live, commitPlan, bus, clock }: FollowLinksDeps) {
  async function record(
    { environmentId, messageId }: FollowedMail,
    item: Pick<DeliveryPlan['items'][number], 'eventType' | 'automated' | 'source' | 'link'>,
  ): Promise<RegisterResult> {
    const now = clock.now()
    const items = [{ ...item, messageId, occurredAt: now }]
    const deliver = () => commitPlan({ kind: 'deliver', environmentId, userNo: null, now, items })
    let { results } = await deliver()
    if (results[0] === 'missing') {
      // The address comes from the mail, so the mail has arrived: its acceptance may not be recorded yet.
      const change = { does: 'report', status: 'accepted', at: now, providerMessageId: null, error: null } as const
      await commitPlan({ kind: 'mail', environmentId, messageId, fence: null, now, change })
      results = (await deliver()).results
    }
    const id = formatId('message', messageId)
    if (results[0] === undefined || results[0] === 'missing') return { messageId: id, code: 'message/not-found' }
    return { messageId: id, eventType: item.eventType, recorded: results[0] === 'recorded' }
  }

  async function findMail({ environmentId, messageId }: FollowedMail) {
    const mail = (await mails.findOwn(environmentId, [messageId])).get(messageId)
    if (mail === undefined) return undefined
    const { categories } = await live.load(environmentId)
    const category = mail.category === null ? undefined : categories.get(mail.category)
    return { mail, categories, category }
  }

  return {
    /** `automated`: a program has fetched it, not the person. */
    opened: (mail: FollowedMail, automated: boolean) =>
      record(mail, { eventType: 'opened', automated, source: 'pixel', link: null }),

    clicked: (mail: FollowedMail, link: string, automated: boolean, source = 'link') =>
      record(mail, { eventType: 'clicked', automated, source, link }),

    async findSubscription(followed: FollowedMail): Promise<MailSubscription> {
      const found = await findMail(followed)
      if (found === undefined) return 'gone'
      if (found.category?.critical === true) return 'critical'
      return { category: found.category?.name ?? found.mail.category }
    },

    /** Turns off mail of the message's category; of all that are not critical when it has none. */
    async unsubscribe(followed: FollowedMail): Promise<MailSubscription> {
      const found = await findMail(followed)
      if (found === undefined) return 'gone'
      const { mail, category, categories } = found
      if (category?.critical === true) return 'critical'
      const optional = [...categories.values()].filter(({ critical }) => !critical).map(({ key }) => key)
      const keys = mail.category === null ? optional : [mail.category]
      const choices = Object.fromEntries(keys.map((key) => [key, { email: false }]))
      const { environmentId } = followed
      const changed = await sendRules.changePreferences(environmentId, mail.userNo, { choices }, clock.now())
      if (changed?.first === true) bus.publish('send-rules-changed', { environmentId })
      return changed === undefined ? 'gone' : { category: category?.name ?? mail.category }
    },
  }
}
