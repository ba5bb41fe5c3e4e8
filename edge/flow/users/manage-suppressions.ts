// Manages suppressions: users and addresses to which nothing is sent on a channel. Addresses are stored as hashes, so no
// function lists all of them.

import type { Page } from '../../../contract/api.ts'
import { type Channel, needsAddress } from '../../../contract/delivery.ts'
import type { NewSuppression, Suppressed, SuppressionAnswer } from '../../../contract/resources/suppression.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'

export type ManageSuppressions = ReturnType<typeof createManageSuppressions>

export function createManageSuppressions({
  sendRules,
  audit,
  bus,
  clock,
}: Pick<Core, 'sendRules' | 'audit' | 'bus' | 'clock'>) {
  /** Changes of a key are not recorded: a backend may synchronise its own list. The log must not contain an address. */
  async function record(environmentId: number, { userId }: Suppressed, by: ChangedBy, verb: string, detail: object) {
    if (by.actor === 'api') return
    const subject = userId ?? 'an address'
    const facts = { ...detail } as Record<string, string>
    await audit.record({ at: clock.now(), ...by, action: `suppression.${verb}`, environmentId, subject, detail: facts })
  }

  return {
    /** Newest first. */
    async list(
      environmentId: number,
      { userId, address, ...query }: Suppressed & PageQuery,
    ): Promise<Page<SuppressionAnswer>> {
      const found = await sendRules.listOf({ environmentId, userId, address })
      const all = found
        .sort((one, other) => other.createdAt - one.createdAt)
        .map(({ channel, reason, createdAt }) => ({ channel, reason, createdAt: toIso(createdAt) }))
      return cutPage({ list: 'suppressions', of: environmentId }, all, query)
    },

    /** `added` is false for a subject that is suppressed already. Throws `request/invalid-body` for a channel without addresses. */
    async add(
      environmentId: number,
      { userId, address, channel, reason }: NewSuppression,
      by: ChangedBy,
    ): Promise<{ added: boolean }> {
      requireAddress(channel, address)
      const { added, first } = await sendRules.suppress(
        { environmentId, channel, userId, address },
        reason,
        clock.now(),
      )
      if (first) bus.publish('send-rules-changed', { environmentId })
      if (added) await record(environmentId, { userId }, by, 'add', { channel, reason })
      return { added }
    },

    /** `deleted` is false for a subject that is not suppressed. */
    async remove(
      environmentId: number,
      { userId, address }: Suppressed,
      channel: Channel,
      by: ChangedBy,
    ): Promise<{ deleted: boolean }> {
      const deleted = await sendRules.release({ environmentId, channel, userId, address })
      if (deleted) await record(environmentId, { userId }, by, 'remove', { channel })
      return { deleted }
    },
  }
}

function requireAddress(channel: Channel, address: string | undefined): void {
  if (address === undefined || needsAddress(channel)) return
  const message = `The channel ${channel} has no addresses. Name a user.`
  throw new ApiError('request/invalid-body', { message, details: [{ path: 'channel', message }] })
}
