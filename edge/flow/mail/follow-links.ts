// Takes what the addresses in mails report: an opening, a click, and the wish to get no more of them.

import type { RegisterResult } from '../../../contract/api.ts'
import type { Core } from '../../domain/core.ts'
import type { DeliveryPlan } from '../../domain/plan.ts'
import { UNCATEGORISED } from '../../domain/sending/send-rules.ts'
import { formatId } from '../../lib/id.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'

/** The mail that a signed address names. */
export interface FollowedMail {
  environmentId: number
  messageId: number
}

/** A fetch of a signed address. */
export interface Followed {
  /** A program made it that says so. Of others the commit judges it. */
  automated: boolean
  /** The network that the fetch came from; null: not known. */
  fetchedFrom: string | null
  /** Epoch ms; default now. The store limits it to the time between the message's creation and now. */
  occurredAt?: number | undefined
  source?: string | undefined
}

/**
 * What the page behind a mail's link shows. `gone`: the message was removed; `critical`: no preference turns such mails
 * off. `category` is its name; null for a message without one, which turns off all mails that are not critical.
 */
export type MailSubscription = 'gone' | 'critical' | { category: string | null }

/** A row of the page with the user's categories. `key` is `UNCATEGORISED` for messages without one. */
export interface SubscriptionRow {
  key: string
  name: string
  critical: boolean
  isOn: boolean
}

type Item = DeliveryPlan['items'][number]

export type FollowLinks = ReturnType<typeof createFollowLinks>

export function createFollowLinks({
  mails,
  sendRules,
  live,
  commitPlan,
  bus,
  clock,
  requireOpen,
}: Pick<Core, 'mails' | 'sendRules' | 'commitPlan' | 'bus' | 'clock'> & {
  live: Pick<LiveCampaigns, 'load'>
  /** @throws ApiError `environment/closed` */
  requireOpen(environmentId: number): Promise<void>
}) {
  async function record(
    { environmentId, messageId }: FollowedMail,
    { eventType, link }: Pick<Item, 'eventType' | 'link'>,
    { automated, fetchedFrom, occurredAt, source }: Followed & { source: string },
  ): Promise<RegisterResult> {
    await requireOpen(environmentId)
    const now = clock.now()
    const items = [{ messageId, eventType, link, automated, fetchedFrom, source, occurredAt: occurredAt ?? now }]
    const plan: DeliveryPlan = { kind: 'deliver', environmentId, userNo: null, now, items }
    let [result] = (await commitPlan(plan)).results
    // The mail may have arrived before its acceptance was recorded, or without any answer of the server.
    if (result === 'missing' && !automated) {
      await recordAcceptance({ environmentId, messageId }, now)
      ;[result] = (await commitPlan(plan)).results
    }
    const id = formatId('message', messageId)
    if (result === undefined || result === 'missing') return { messageId: id, code: 'message/not-found' }
    return { messageId: id, eventType, recorded: result === 'recorded' }
  }

  /**
   * Records that the mail was accepted, because a person has it. A filter proves nothing: it may look at a mail that is
   * refused afterwards.
   */
  async function recordAcceptance({ environmentId, messageId }: FollowedMail, now: number): Promise<void> {
    const change = { does: 'report', status: 'accepted', at: now, providerMessageId: null, error: null } as const
    await commitPlan({ kind: 'mail', environmentId, messageId, fence: null, now, change })
  }

  /** Finds the user of the mail, and the categories that its unsubscribing turns. */
  async function findMail({ environmentId, messageId }: FollowedMail) {
    await requireOpen(environmentId)
    const mail = (await mails.findOwn(environmentId, [messageId])).get(messageId)
    if (mail === undefined) return undefined
    const { categories } = await live.load(environmentId)
    const optional = [...categories.values()].filter(({ critical }) => !critical).map(({ key }) => key)
    if (mail.category === null) return { userNo: mail.userNo, keys: [UNCATEGORISED, ...optional], category: null }
    const { critical = false, name = mail.category } = categories.get(mail.category) ?? {}
    return { userNo: mail.userNo, keys: critical ? [] : [mail.category], category: name }
  }

  async function listRows({ environmentId, messageId }: FollowedMail) {
    await requireOpen(environmentId)
    const mail = (await mails.findOwn(environmentId, [messageId])).get(messageId)
    if (mail === undefined) return undefined
    const [{ categories }, preferences] = await Promise.all([
      live.load(environmentId),
      sendRules.findPreferences(environmentId, mail.userNo),
    ])
    const isOn = (key: string, byDefault: boolean) => preferences?.choices[key]?.email ?? byDefault
    const rows: SubscriptionRow[] = [...categories.values()].map(({ key, name, critical, channels }) => ({
      ...{ key, name, critical },
      isOn: critical || isOn(key, channels.email),
    }))
    rows.push({ key: UNCATEGORISED, name: '', critical: false, isOn: isOn(UNCATEGORISED, true) })
    return { userNo: mail.userNo, rows }
  }

  return {
    /** Returns whether the user gets mails of each category; `gone`: the message was removed. */
    listSubscriptions: async (followed: FollowedMail) => (await listRows(followed))?.rows ?? 'gone',

    /** Turns mail of one category on or off; a critical or unknown one stays. Returns the categories as they are then. */
    async changeOne(followed: FollowedMail, key: string, email: boolean): Promise<SubscriptionRow[] | 'gone'> {
      const found = await listRows(followed)
      if (found === undefined) return 'gone'
      const { userNo, rows } = found
      const row = rows.find((one) => one.key === key && !one.critical)
      if (row === undefined) return rows
      const { environmentId } = followed
      const change = { choices: { [key]: { email } } }
      const changed = await sendRules.changePreferences(environmentId, userNo, change, clock.now())
      if (changed?.first === true) bus.publish('send-rules-changed', { environmentId })
      return changed === undefined ? 'gone' : rows.map((one) => (one === row ? { ...one, isOn: email } : one))
    },

    opened: (mail: FollowedMail, followed: Followed) =>
      record(mail, { eventType: 'opened', link: null }, { ...followed, source: followed.source ?? 'pixel' }),

    clicked: (mail: FollowedMail, link: string, followed: Followed) =>
      record(mail, { eventType: 'clicked', link }, { ...followed, source: followed.source ?? 'link' }),

    async findSubscription(followed: FollowedMail): Promise<MailSubscription> {
      const found = await findMail(followed)
      if (found === undefined) return 'gone'
      return found.keys.length === 0 ? 'critical' : { category: found.category }
    },

    /** Turns mail of the message's category off or on; of all that are not critical when it has none. */
    async changeSubscription(followed: FollowedMail, email: boolean): Promise<MailSubscription> {
      const found = await findMail(followed)
      if (found === undefined) return 'gone'
      const { userNo, keys, category } = found
      if (keys.length === 0) return 'critical'
      const choices = Object.fromEntries(keys.map((key) => [key, { email }]))
      const { environmentId } = followed
      const changed = await sendRules.changePreferences(environmentId, userNo, { choices }, clock.now())
      if (changed?.first === true) bus.publish('send-rules-changed', { environmentId })
      return changed === undefined ? 'gone' : { category }
    },
  }
}
