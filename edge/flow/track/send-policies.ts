// What may be sent to the users of a plan, read before their runs go on. One query
// for all of them, and none where nobody of the environment has preferences or is suppressed (docs/decisions/0021-send-policy.md).

import { createSendPolicy, SEND_ALL, type SendPolicy } from '../../campaign/send-policy.ts'
import type { SendRules } from '../../domain/sending/send-rules.ts'
import type { UserProfile } from '../../domain/user.ts'
import type { LiveCampaigns, LiveSet } from './live-campaigns.ts'

/** A recipient whose policy is still the one of everybody. */
export interface PolicyHolder {
  userId: string
  profile: UserProfile
  policy: SendPolicy
}

export interface PolicyQuestion {
  environmentId: number
  userId: string
  profile: UserProfile
}

export interface SendPolicies {
  /** Gives each recipient the policy of its own. Undefined when everybody's is right: then there is nothing to wait for. */
  give(environmentId: number, live: LiveSet, recipients: readonly PolicyHolder[]): Promise<void> | undefined
  /** In the order asked, for runs that go on: one query for each environment that has any. */
  findMany(recipients: readonly PolicyQuestion[]): Promise<SendPolicy[]>
  /** Of one user, for what is only tried. */
  find(environmentId: number, userId: string, profile: UserProfile): Promise<SendPolicy>
  /** The same for a test: it asks nothing but whether the user or the address must not be sent to. */
  findForTest(environmentId: number, userId: string, profile: UserProfile): Promise<SendPolicy>
}

export interface SendPoliciesDeps {
  sendRules: Pick<SendRules, 'findMany'>
  live: Pick<LiveCampaigns, 'find' | 'load'>
}

export function createSendPolicies({ sendRules, live: campaigns }: SendPoliciesDeps): SendPolicies {
  async function giveOwn(environmentId: number, live: LiveSet, recipients: readonly PolicyHolder[]): Promise<void> {
    const asked = recipients.map(({ userId, profile }) => ({ userId, email: profile.email }))
    const rules = await sendRules.findMany(environmentId, asked)
    recipients.forEach((recipient, place) => {
      const own = rules[place]
      if (own !== undefined) recipient.policy = createSendPolicy(live.categories, own, recipient.profile.timeZone)
    })
  }

  const give: SendPolicies['give'] = (environmentId, live, recipients) =>
    live.asksEachUser && recipients.length > 0 ? giveOwn(environmentId, live, recipients) : undefined

  return {
    give,
    async findMany(recipients) {
      const holders = new Map<number, PolicyHolder[]>()
      const inOrder: PolicyHolder[] = []
      for (const { environmentId, userId, profile } of recipients) {
        const holder = { userId, profile, policy: SEND_ALL }
        inOrder.push(holder)
        holders.set(environmentId, [...(holders.get(environmentId) ?? []), holder])
      }
      await Promise.all(
        [...holders].map(async ([environmentId, group]) => {
          const live = await campaigns.load(environmentId)
          for (const holder of group) holder.policy = live.policyOfAll
          await give(environmentId, live, group)
        }),
      )
      return inOrder.map(({ policy }) => policy)
    },
    async find(environmentId, userId, profile) {
      const live = await campaigns.load(environmentId)
      const holder = { userId, profile, policy: live.policyOfAll }
      await give(environmentId, live, [holder])
      return holder.policy
    },
    async findForTest(environmentId, userId, profile) {
      const [rules] = await sendRules.findMany(environmentId, [{ userId, email: profile.email }])
      const { suppressions = [] } = rules ?? {}
      return createSendPolicy(new Map(), { choices: {}, quietHours: null, suppressions }, null)
    },
  }
}
