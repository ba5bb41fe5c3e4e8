// Reads the send policies of a plan's users before their runs continue, in one query. Without preferences and suppressions
// in the environment there is no query (docs/decisions/0021-send-policy.md).

import { createSendPolicy, SEND_ALL, type SendPolicy } from '../../campaign/send-policy.ts'
import type { Core } from '../../domain/core.ts'
import type { UserProfile } from '../../domain/user.ts'
import type { LiveCampaigns, LiveSet } from './live-campaigns.ts'

/** A recipient whose policy is replaced when the user has rules of their own. */
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
  /** Assigns each recipient the user's own policy. Returns undefined when no user has one: then there is nothing to wait for. */
  assign(environmentId: number, live: LiveSet, recipients: readonly PolicyHolder[]): Promise<void> | undefined
  /** Returns policies in the order of the recipients: one query for each environment that has rules. */
  findMany(recipients: readonly PolicyQuestion[]): Promise<SendPolicy[]>
  /** Returns the policy of one user, for a dry run. */
  find(environmentId: number, userId: string, profile: UserProfile): Promise<SendPolicy>
  /** Returns the policy of a test message, which only suppressions of the user or the address prevent. */
  findForTest(environmentId: number, userId: string, profile: UserProfile): Promise<SendPolicy>
}

export function createSendPolicies({
  sendRules,
  live: campaigns,
}: Pick<Core, 'sendRules'> & {
  live: Pick<LiveCampaigns, 'find' | 'load'>
}): SendPolicies {
  async function assignOwn(environmentId: number, live: LiveSet, recipients: readonly PolicyHolder[]): Promise<void> {
    const queries = recipients.map(({ userId, profile }) => ({ userId, email: profile.email }))
    const rules = await sendRules.findMany(environmentId, queries)
    recipients.forEach((recipient, place) => {
      const own = rules[place]
      if (own !== undefined) recipient.policy = createSendPolicy(live.categories, own, recipient.profile.timeZone)
    })
  }

  const assign: SendPolicies['assign'] = (environmentId, live, recipients) =>
    live.hasSendRules && recipients.length > 0 ? assignOwn(environmentId, live, recipients) : undefined

  return {
    assign,
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
          await assign(environmentId, live, group)
        }),
      )
      return inOrder.map(({ policy }) => policy)
    },
    async find(environmentId, userId, profile) {
      const live = await campaigns.load(environmentId)
      const holder = { userId, profile, policy: live.policyOfAll }
      await assign(environmentId, live, [holder])
      return holder.policy
    },
    async findForTest(environmentId, userId, profile) {
      const [rules] = await sendRules.findMany(environmentId, [{ userId, email: profile.email }])
      const { suppressions = [] } = rules ?? {}
      return createSendPolicy(new Map(), { choices: {}, quietHours: null, suppressions }, null)
    },
  }
}
