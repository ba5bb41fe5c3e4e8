// Tests of both engines: permits are issued at the rate of an integration, the oldest mails first, and mails that wait
// for one are released when they need none any more.

import { describe, expect, test } from 'vitest'
import type { CampaignStatus } from '../../domain/campaign.ts'
import type { ClaimedMail, MailChange } from '../../domain/mail/mail.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import { givenStore, HOUR, type OpenStores, write } from './given.ts'
import {
  changeMail,
  claimMails,
  claimOne,
  endMails,
  givenCampaign,
  HAND_OVER,
  mailsOf,
  mailTrackPlan,
  reportMail,
} from './given-mail.ts'

const awaitPermit = (integrationId: number, error: string | null = null): MailChange => {
  return { does: 'await-permit', integrationId, error }
}

export function heldMailSuite(open: OpenStores): void {
  describe('held mails', () => {
    const given = givenStore(open)
    const { recordOf } = mailsOf(given)
    const issue = () => given.stores.heldMails.issuePermits(given.now())
    const AUDIT = { at: 1, actor: 'api', who: 'sec_1', action: 'test', subject: 'int_1', detail: {} } as const

    async function integrationOf(environmentId: number, maxPerSecond: number | null): Promise<MailIntegration> {
      const id = given.id()
      const integration: MailIntegration = {
        ...{ id, environmentId, name: `i${id}`, provider: 'ses', sealed: '', from: null, priority: 1, maxPerSecond },
        ...{ webhookId: `whi_${id}`, webhookPasswordHash: null, createdAt: 1, updatedAt: 1 },
      }
      const { mailIntegrations } = given.stores
      expect(await mailIntegrations.insertOnce(integration, { ...AUDIT, environmentId })).toBe(true)
      return integration
    }

    async function givenIntegration(maxPerSecond: number | null) {
      const environmentId = given.environmentId()
      return { environmentId, integration: await integrationOf(environmentId, maxPerSecond) }
    }

    /** Queues so many mails, claims them, and makes them wait for a permit. @returns their messages, the oldest first */
    async function givenWaiting(
      { environmentId, integration }: Awaited<ReturnType<typeof givenIntegration>>,
      count: number,
      { status = 'active', isTest = false }: { status?: CampaignStatus; isTest?: boolean } = {},
    ): Promise<number[]> {
      const campaignId = await givenCampaign(given, environmentId, { status })
      const userIds = Array.from({ length: count }, (_, n) => `u${n}`)
      await write(given, mailTrackPlan(given, { environmentId, campaignId, userIds, isTest }))
      const claims = await claimMails(given)
      expect(claims).toHaveLength(count)
      for (const claim of claims) await hold(claim, integration.id)
      return claims.map(({ messageId }) => messageId).sort((a, b) => a - b)
    }

    async function hold(claim: ClaimedMail, integrationId: number): Promise<void> {
      expect(await changeMail(given, claim, claim.environmentId, awaitPermit(integrationId))).toBe('changed')
    }

    const idsOf = (claims: ClaimedMail[]) => claims.map(({ messageId }) => messageId)

    test('waiting mails are not claimed, and get permits at the rate of their integration, the oldest first', async () => {
      const home = await givenIntegration(10)
      const ids = await givenWaiting(home, 20)
      expect(await claimMails(given)).toEqual([])
      expect(await given.stores.mails.nextDueInMs(given.now())).toBeNull()
      // After a pause: those of half a second, and one for now.
      expect(await issue()).toBe(6)
      expect(await issue()).toBe(0)
      const first = await claimMails(given)
      expect(idsOf(first)).toEqual(ids.slice(0, 6))
      expect(new Set(first.map(({ permitFrom }) => permitFrom))).toEqual(new Set([home.integration.id]))
      expect(first.map(({ attempts }) => attempts)).toEqual(first.map(() => 0))
      given.advance(99)
      expect(await issue()).toBe(0)
      given.advance(1)
      expect(await issue()).toBe(1)
      given.advance(250)
      expect(await issue()).toBe(2)
      given.advance(HOUR)
      expect(await issue()).toBe(6)
      await endMails(given, [...first, ...(await claimMails(given))])
      given.advance(1000)
      expect(await issue()).toBe(5)
      await endMails(given, await claimMails(given))
      expect(await issue()).toBe(0)
    })

    test('a rate below one a second issues one permit at a time', async () => {
      const home = await givenIntegration(0.05)
      await givenWaiting(home, 3)
      const times: number[] = []
      const start = given.now()
      for (let second = 0; second < 60; second++) {
        if ((await issue()) > 0) times.push((given.now() - start) / 1000)
        given.advance(1000)
      }
      expect(times).toEqual([0, 20, 40])
      await endMails(given, await claimMails(given))
    })

    test('integrations have their own rates, and a mail that is handed over or due again has used its permit', async () => {
      const [slow, fast] = [await givenIntegration(1), await givenIntegration(1000)]
      const ids = await givenWaiting(slow, 2)
      await givenWaiting(fast, 100)
      expect(await issue()).toBe(101)
      const claims = await claimMails(given)
      const [mine, ...others] = claims.filter(({ environmentId }) => environmentId === slow.environmentId)
      expect([mine?.messageId, others]).toEqual([ids[0], []])
      await endMails(
        given,
        claims.slice(claims.length - 100).filter((claim) => claim !== mine),
      )
      if (mine === undefined) throw new Error('no mail')
      expect(await changeMail(given, mine, mine.environmentId, HAND_OVER)).toBe('changed')
      expect(await changeMail(given, mine, mine.environmentId, { does: 'retry', at: given.now(), error: 'busy' })).toBe(
        'changed',
      )
      const again = await claimOne(given)
      expect(again).toMatchObject({ messageId: mine.messageId, permitFrom: null, attempts: 1 })
      await hold(again, slow.integration.id)
      given.advance(10_000)
      expect(await issue()).toBe(1)
      const released = await claimOne(given)
      expect(released.permitFrom).toBe(slow.integration.id)
      await changeMail(given, released, released.environmentId, { does: 'release', at: given.now() })
      expect(await claimOne(given)).toMatchObject({ permitFrom: null })
      given.advance(10_000)
      await issue()
      given.advance(60_000)
      await endMails(given, await claimMails(given))
    })

    test('a mail that waits after an answer keeps the answer, and one of unknown outcome its integration', async () => {
      const home = await givenIntegration(1)
      const campaignId = await givenCampaign(given, home.environmentId)
      await write(given, mailTrackPlan(given, { environmentId: home.environmentId, campaignId, userIds: ['a', 'b'] }))
      const [answered, unknown] = await claimMails(given)
      if (answered === undefined || unknown === undefined) throw new Error('no mails')
      for (const claim of [answered, unknown]) await changeMail(given, claim, claim.environmentId, HAND_OVER)
      await changeMail(given, answered, home.environmentId, awaitPermit(home.integration.id, '503: later'))
      await changeMail(given, unknown, home.environmentId, awaitPermit(home.integration.id))
      given.advance(10_000)
      await issue()
      given.advance(1000)
      await issue()
      expect(await claimMails(given)).toMatchObject([
        { messageId: answered.messageId, handedTo: null, attempts: 1 },
        { messageId: unknown.messageId, handedTo: 7, attempts: 1 },
      ])
      const { record } = await recordOf(home.environmentId, { id: answered.messageId } as never)
      expect(record).toMatchObject({ status: 'sending', lastError: '503: later' })
      given.advance(HOUR)
      await endMails(given, await claimMails(given))
    })

    test('a suspended integration issues none until its time; one without a rate then releases all', async () => {
      const home = await givenIntegration(null)
      await givenWaiting(home, 3)
      const { heldMails } = given.stores
      await heldMails.suspendPermits(home.environmentId, home.integration.id, given.now(), 5000)
      await heldMails.suspendPermits(home.environmentId, home.integration.id, given.now(), 1000)
      given.advance(4999)
      expect(await issue()).toBe(0)
      given.advance(1)
      expect(await issue()).toBe(3)
      const claims = await claimMails(given)
      expect(claims.map(({ permitFrom }) => permitFrom)).toEqual([null, null, null])
      await endMails(given, claims)
    })

    test('mails are released when their integration is removed, or has no rate any more', async () => {
      const [removed, changed] = [await givenIntegration(0.01), await givenIntegration(0.01)]
      await givenWaiting(removed, 3)
      await givenWaiting(changed, 3)
      expect(await issue()).toBe(2)
      const { mailIntegrations } = given.stores
      const { integration, environmentId } = changed
      const audit = { ...AUDIT, environmentId }
      expect(await mailIntegrations.save({ ...integration, maxPerSecond: null, revision: 1 }, audit)).toBe('saved')
      await mailIntegrations.remove(removed.environmentId, removed.integration.id, 1, audit)
      expect(await issue()).toBe(4)
      await endMails(given, await claimMails(given))
      expect(await issue()).toBe(0)
    })

    test('mails whose campaign does not let them go are released without using a permit; tests get one', async () => {
      const home = await givenIntegration(0.01)
      const paused = await givenWaiting(home, 3, { status: 'paused' })
      const archived = await givenWaiting(home, 1, { status: 'archived' })
      const active = await givenWaiting(home, 2)
      expect(await issue()).toBe(5)
      const claims = await claimMails(given)
      const permitted = claims.filter(({ permitFrom }) => permitFrom !== null)
      expect(idsOf(permitted)).toEqual(active.slice(0, 1))
      expect(idsOf(claims).sort((a, b) => a - b)).toEqual([...paused, ...archived, ...active.slice(0, 1)])
      await endMails(given, claims)
      given.advance(100_000)
      expect(await issue()).toBe(1)
      await endMails(given, await claimMails(given))
      const [test] = await givenWaiting(home, 1, { status: 'paused', isTest: true })
      given.advance(100_000)
      expect(await issue()).toBe(1)
      const claim = await claimOne(given)
      expect(claim).toMatchObject({ messageId: test, permitFrom: home.integration.id })
      await endMails(given, [claim])
    })

    test('a report decides about a waiting mail, and a restart leaves the others waiting', async () => {
      const home = await givenIntegration(1)
      const [first] = await givenWaiting(home, 2)
      await reportMail(given, { id: first } as never, home.environmentId, 'delivered')
      await given.reopen()
      expect(await claimMails(given)).toEqual([])
      expect(await issue()).toBe(1)
      const claim = await claimOne(given)
      expect(claim.messageId).not.toBe(first)
      // The claim of an ended process keeps its permit.
      await given.reopen()
      given.advance(given.stores.engine === 'PostgreSQL' ? HOUR : 0)
      const again = await claimOne(given)
      expect(again).toMatchObject({ messageId: claim.messageId, permitFrom: home.integration.id })
      await endMails(given, [again])
    })

    test('a permit that is issued twice at once is issued once', async () => {
      const home = await givenIntegration(1)
      await givenWaiting(home, 5)
      const issued = await Promise.all([issue(), issue(), issue()])
      expect(issued.reduce((sum, one) => sum + one)).toBe(1)
      given.advance(HOUR)
      for (let n = 0; n < 5; n++) {
        await issue()
        given.advance(1000)
      }
      await endMails(given, await claimMails(given))
    })
  })
}
