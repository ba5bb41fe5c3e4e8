// Tests of both engines: mails are claimed in turn under leases, survive a restart, and go with their message.

import { describe, expect, test } from 'vitest'
import { type Given, givenStore, HOUR, type OpenStores, write } from './given.ts'
import {
  accepted,
  changeMail,
  claimMails,
  claimOne,
  endMails,
  givenCampaign,
  givenMail,
  HAND_OVER,
  LEASE_MS,
  mailTrackPlan,
} from './given-mail.ts'

export function mailClaimsSuite(open: OpenStores): void {
  describe('claims of mails', () => {
    const given = givenStore(open)

    test('two senders share the due mails: each is claimed once, the oldest first', async () => {
      const environmentId = given.environmentId()
      await addMails(given, environmentId, 30)
      given.advance(10)
      await addMails(given, environmentId, 30)
      const claims = await Promise.all([claimMails(given, 40), claimMails(given, 40)])
      const ids = claims.flat().map(({ messageId }) => messageId)
      expect(new Set(ids).size).toBe(60)
      expect(claims.map((one) => one.length).sort()).toEqual([20, 40])
      for (const one of claims) {
        const own = one.map(({ messageId }) => messageId)
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
      await endMails(given, claims.flat())
      expect(await claimMails(given)).toEqual([])
    })

    test('an environment with many and older mails delays no other', async () => {
      const [busy, other] = [given.environmentId(), given.environmentId()]
      await addMails(given, busy, 100)
      given.advance(1000)
      const late = await addMails(given, other, 3)
      const first = await claimMails(given, 10)
      expect(first).toHaveLength(10)
      expect(first.filter(({ environmentId }) => environmentId === other).map(({ messageId }) => messageId)).toEqual(
        late,
      )
      await endMails(given, [...first, ...(await claimMails(given))])
    })

    test('a lease that is renewed lasts; after its end another has the mail, and the first claim changes nothing', async () => {
      const environmentId = given.environmentId()
      await addMails(given, environmentId, 1)
      const first = await claimOne(given)
      expect(await changeMail(given, first, environmentId, HAND_OVER)).toBe('changed')
      given.advance(LEASE_MS - 1)
      await given.stores.mails.renew([first], given.now(), LEASE_MS)
      given.advance(LEASE_MS - 1)
      expect(await claimMails(given)).toEqual([])
      given.advance(1)
      const second = await claimOne(given)
      // The second claim knows that the outcome of the hand-over is unknown.
      expect(second).toMatchObject({
        messageId: first.messageId,
        attempts: 1,
        handedTo: 7,
        firstAttemptAt: expect.any(Number),
      })
      expect(second.fence).toBeGreaterThan(first.fence)
      for (const change of [HAND_OVER, accepted('<late>'), { does: 'release', at: given.now() }] as const) {
        expect(await changeMail(given, first, environmentId, change)).toBe('lost')
      }
      await given.stores.mails.renew([first], given.now(), HOUR)
      given.advance(LEASE_MS)
      const third = await claimOne(given)
      expect(await changeMail(given, third, environmentId, accepted('<id>'))).toBe('changed')
      expect(await claimMails(given)).toEqual([])
    })

    test('a mail whose process ends between hand-over and acceptance is claimed again, with its integration', async () => {
      const environmentId = given.environmentId()
      await addMails(given, environmentId, 2)
      const [handed, claimed] = await claimMails(given)
      await changeMail(given, handed!, environmentId, HAND_OVER)
      await given.reopen()
      // On SQLite the claims are free at once; nodes of PostgreSQL wait for the end of the lease.
      given.advance(given.stores.engine === 'PostgreSQL' ? LEASE_MS : 0)
      const again = await claimMails(given)
      expect(again.map(({ messageId, attempts, handedTo }) => [messageId, attempts, handedTo])).toEqual([
        [handed?.messageId, 1, 7],
        [claimed?.messageId, 0, null],
      ])
      await endMails(given, again)
    })

    test('a restart leaves a retry at its time', async () => {
      const environmentId = given.environmentId()
      await addMails(given, environmentId, 1)
      const claim = await claimOne(given)
      await changeMail(given, claim, environmentId, { does: 'retry', at: given.now() + 5000, error: 'busy' })
      await given.reopen()
      expect(await given.stores.mails.nextDueInMs(given.now())).toBe(5000)
      given.advance(5000)
      await endMails(given, await claimMails(given))
    })

    test('mails go with their messages, by retention and by erasure', async () => {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      const users = ['old', 'gone', 'stays']
      const ids: number[] = []
      for (const userId of users) {
        ids.push((await givenMail(given, { environmentId, campaignId, userIds: [userId] })).id)
        if (userId === 'old') given.advance(HOUR)
      }
      const claims = await claimMails(given)
      for (const claim of claims) {
        await changeMail(given, claim, environmentId, HAND_OVER)
        await changeMail(given, claim, environmentId, accepted(`<${claim.messageId}>`))
      }
      const found = async () => {
        const byId = await given.stores.mails.findByProviderIds(
          7,
          ids.map((id) => `<${id}>`),
        )
        return [...byId.values()].sort((a, b) => a - b)
      }
      expect(await found()).toEqual(ids)
      while ((await given.stores.retention.purgeStep(environmentId, given.now() - 1)).rows > 0);
      expect(await found()).toEqual(ids.slice(1))
      await given.stores.users.erase(environmentId, 'gone', given.now())
      expect(await found()).toEqual(ids.slice(2))
      expect((await given.stores.mails.findOwn(environmentId, ids)).size).toBe(1)
      expect(await given.stores.funnels.slices(environmentId, campaignId, 'email', null)).toMatchObject([
        { delivery: 3 },
      ])
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a queued mail of an erased user is not sent, and a claim of it changes nothing', async () => {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      await givenMail(given, { environmentId, campaignId, userIds: ['gone'] })
      const claim = await claimOne(given)
      await given.stores.users.erase(environmentId, 'gone', given.now())
      expect(await given.stores.mails.load([claim])).toEqual(new Map())
      expect(await changeMail(given, claim, environmentId, accepted())).toBe('lost')
      expect(await given.stores.mails.nextDueInMs(given.now())).toBeNull()
    })
  })
}

/** Queues mails in one plan; returns the ids of their messages. */
async function addMails(given: Given, environmentId: number, count: number): Promise<number[]> {
  const plan = mailTrackPlan(given, { environmentId, userIds: Array.from({ length: count }, (_, n) => `u${n}`) })
  await write(given, plan)
  return plan.messages.map(({ id }) => id)
}
