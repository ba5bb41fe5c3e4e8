// Tests of both engines: random changes and reports of mails. History, funnel and claims always agree with what was
// answered.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ClaimedMail, MailChange, MailClaim } from '../../domain/mail/mail.ts'
import type { NewMessage } from '../../domain/plan.ts'
import { givenStore, type OpenStores } from './given.ts'
import {
  accepted,
  changeMail,
  claimMails,
  endMails,
  givenCampaign,
  givenMail,
  HAND_OVER,
  LEASE_MS,
  mailsOf,
  reportMail,
} from './given-mail.ts'

type Step =
  | { kind: 'claim' }
  | { kind: 'wait'; ms: number }
  /** No integration and no pause holds the waiting mails. */
  | { kind: 'release-held' }
  /** `age`: how many claims ago the claim was made that the change names. */
  | {
      kind: 'change'
      mail: number
      age: number
      change:
        | 'hand-over'
        | 'accept'
        | 'retry'
        | 'release'
        | 'unknown'
        | 'reject'
        | 'await-permit'
        | 'await-resume'
        | 'await-quiet-end'
    }
  | { kind: 'report'; mail: number; status: 'accepted' | 'delivered' | 'bounced' }

const mail = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const) }),
  fc.record({ kind: fc.constant('release-held' as const) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 2000, LEASE_MS) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      mail,
      age: fc.constantFrom(0, 0, 0, 1),
      change: fc.constantFrom(
        ...(['hand-over', 'hand-over', 'accept', 'retry', 'release', 'unknown', 'reject'] as const),
        ...(['await-permit', 'await-resume', 'await-quiet-end'] as const),
      ),
    }),
  },
  fc.record({
    kind: fc.constant('report' as const),
    mail,
    status: fc.constantFrom('accepted', 'delivered', 'bounced'),
  }),
)

/** Later statuses never come before earlier ones; a mail that failed may turn out to be accepted. */
const RANK: Record<string, number> = { queued: 0, sending: 1, failed: 2, sent: 3, delivered: 4, bounced: 5 }

function changeOf(name: Extract<Step, { kind: 'change' }>['change'], now: number, campaignId: number): MailChange {
  const at = now + 2000
  switch (name) {
    case 'hand-over':
      return HAND_OVER
    case 'accept':
      return accepted('<id>')
    case 'retry':
      return { does: 'retry', at, error: 'busy' }
    case 'release':
      return { does: 'release', at }
    case 'await-permit':
      return { does: 'await-permit', integrationId: 1, error: null }
    case 'await-resume':
      return { does: 'await-resume', campaignId, until: at }
    case 'await-quiet-end':
      return { does: 'await-quiet-end', at }
    case 'unknown':
      return { does: 'end', status: 'failed', reason: 'outcome-unknown', error: null }
    case 'reject':
      return { does: 'end', status: 'failed', reason: 'rejected', error: '550' }
  }
}

/** Returns when a mail is due after the change; undefined when the claim lasts or nothing is left to do. */
function dueAfter(change: MailChange): number | undefined {
  if (change.does === 'await-permit') return Number.POSITIVE_INFINITY
  if (change.does === 'await-resume') return change.until
  return 'at' in change && change.does !== 'report' ? change.at : undefined
}

export function mailRandomSuite(open: OpenStores): void {
  describe('random changes of mails', () => {
    const given = givenStore(open)
    const { recordOf, funnelOf } = mailsOf(given)

    test('agree with history, funnel and claims', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const environmentId = given.environmentId()
          const campaignId = await givenCampaign(given, environmentId)
          const plans = { environmentId, campaignId }
          const messages = [await givenMail(given, plans), await givenMail(given, plans)] as [NewMessage, NewMessage]
          /** When each mail is due; null when nothing is left to do. */
          const due = new Map<number, number | null>(messages.map(({ id, createdAt }) => [id, createdAt]))
          /** Mails that wait for something, and are not claimed. */
          const held = new Set<number>()
          /** The claims of each mail, the latest first. */
          const claims = new Map<number, MailClaim[]>(messages.map(({ id }) => [id, []]))

          async function claim(): Promise<ClaimedMail[]> {
            const claimed = await claimMails(given)
            const expected = [...due].filter(([, at]) => at !== null && at <= given.now()).map(([id]) => id)
            expect(claimed.map(({ messageId }) => messageId).sort((a, b) => a - b)).toEqual(expected)
            for (const one of claimed) {
              due.set(one.messageId, given.now() + LEASE_MS)
              held.delete(one.messageId)
              claims.get(one.messageId)?.unshift(one)
            }
            return claimed
          }

          async function releaseHeld(): Promise<void> {
            const { heldMails } = given.stores
            const released = (await heldMails.issuePermits(given.now())) + (await heldMails.releaseResumed(given.now()))
            expect(released).toBe(held.size)
            for (const id of held) due.set(id, given.now())
            held.clear()
          }

          async function apply(
            message: NewMessage,
            commit: () => Promise<string>,
            dueAt: number | undefined,
            holds = false,
          ): Promise<void> {
            const before = await recordOf(environmentId, message)
            const outcome = await commit()
            const after = await recordOf(environmentId, message)
            if (outcome === 'lost') return expect(after).toEqual(before)
            expect(RANK[after.record.status]).toBeGreaterThanOrEqual(RANK[before.record.status] ?? 9)
            if (before.record.acceptedAt !== null) expect(after.record.acceptedAt).toBe(before.record.acceptedAt)
            expect(after.timeline).toHaveLength(after.record.acceptedAt === null ? 0 : 1)
            const isOpen = after.record.status === 'queued' || after.record.status === 'sending'
            if (!isOpen) due.set(message.id, null)
            else if (dueAt !== undefined) due.set(message.id, dueAt)
            if (!isOpen || dueAt !== undefined) held.delete(message.id)
            if (isOpen && holds) held.add(message.id)
          }

          async function run(one: Step): Promise<unknown> {
            if (one.kind === 'claim') return claim()
            if (one.kind === 'wait') return given.advance(one.ms)
            if (one.kind === 'release-held') return releaseHeld()
            const message = messages[one.mail]!
            if (one.kind === 'report') {
              return apply(message, () => reportMail(given, message, environmentId, one.status), undefined)
            }
            const fence = claims.get(message.id)?.[one.age]?.fence ?? -1
            const change = changeOf(one.change, given.now(), campaignId)
            const commit = async () => {
              const outcome = await changeMail(given, { messageId: message.id, fence }, environmentId, change)
              // A claim that another one followed has ended.
              if (one.age > 0 || fence < 0) expect(outcome).toBe('lost')
              return outcome
            }
            await apply(
              message,
              commit,
              dueAfter(change),
              one.change === 'await-permit' || one.change === 'await-resume',
            )
          }

          for (const one of steps) await run(one)
          const records = await Promise.all(messages.map((message) => recordOf(environmentId, message)))
          const count = records.filter(({ record }) => record.acceptedAt !== null).length
          expect((await funnelOf(environmentId, campaignId))?.delivery ?? 0).toBe(count)
          expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
          await releaseHeld()
          given.advance(2 * LEASE_MS)
          await endMails(given, await claim())
        }),
        { numRuns: 40, seed: 21 },
      )
    })
  })
}
