// Tests of both engines: the life of a mail, from its plan to the provider's last report, as history and funnel show it.

import { describe, expect, test } from 'vitest'
import type { MailChange } from '../../domain/mail/mail.ts'
import { firstMessage, type Given, givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'
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
  mailsOf,
  mailTrackPlan,
  reportMail,
} from './given-mail.ts'

export function mailSuite(open: OpenStores): void {
  describe('mails', () => {
    const given = givenStore(open)

    const { recordOf, funnelOf, givenClaimed } = mailsOf(given)

    test('a mail is queued, sending, sent and delivered; each step is in the history, the acceptance in the funnel', async () => {
      const createdAt = given.now()
      const { environmentId, campaignId, message, claim, change } = await givenClaimed()
      expect(claim).toEqual({
        messageId: message.id,
        environmentId,
        fence: 1,
        attempts: 0,
        claims: 1,
        crashes: 0,
        firstAttemptAt: null,
        handedTo: null,
        permitFrom: null,
      })
      const queued = await recordOf(environmentId, message)
      expect(queued.record).toMatchObject({ status: 'queued', acceptedAt: null, lastError: null })
      expect(queued.record.mail).toEqual({ provider: null, providerMessageId: null, attempts: 0, deliveredAt: null })
      expect(queued.timeline).toEqual([])
      expect(await funnelOf(environmentId, campaignId)).toBeUndefined()

      expect(await change(HAND_OVER)).toBe('changed')
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'sending',
        mail: { provider: 'smtp', attempts: 1 },
      })
      given.advance(1000)
      expect(await change(accepted('<1@relay>'))).toBe('changed')
      const sent = await recordOf(environmentId, message)
      const acceptedAt = createdAt + 1000
      expect(sent.record).toMatchObject({
        status: 'sent',
        acceptedAt,
        mail: { providerMessageId: '<1@relay>', deliveredAt: null },
      })
      expect(sent.timeline).toEqual([
        { eventType: 'send', at: acceptedAt, implied: false, automated: false, source: 'service' },
      ])
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1 })

      given.advance(1000)
      expect(await reportMail(given, message, environmentId, 'delivered')).toBe('changed')
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'delivered',
        acceptedAt,
        mail: { deliveredAt: given.now() },
      })
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1 })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
      expect(await given.stores.mails.nextDueInMs(given.now())).toBeNull()
    })

    test('events of a mail count from its acceptance, in the same batch too', async () => {
      const { environmentId, campaignId, message, claim } = await givenClaimed()
      const item = {
        messageId: message.id,
        eventType: 'opened' as const,
        occurredAt: given.now(),
        automated: false,
        source: 'smtp',
        link: null,
      }
      const deliver = { kind: 'deliver' as const, environmentId, userNo: null, now: given.now(), items: [item] }
      const mail = { kind: 'mail' as const, environmentId, messageId: message.id, fence: claim.fence, now: given.now() }
      const { commit } = given.stores
      const outcomes = await Promise.all([
        commit.deliver(deliver),
        commit.mail({ ...mail, change: accepted() }),
        commit.deliver(deliver),
      ])
      expect(outcomes.map((one) => ('results' in one ? one.results[0] : one.mail))).toEqual([
        'missing',
        'changed',
        'recorded',
      ])
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1, read: 1, opened: 1, clicked: 0 })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a mail that is accepted twice, or reported before, counts once', async () => {
      const { environmentId, campaignId, message, change } = await givenClaimed()
      await change(HAND_OVER)
      const report = () => reportMail(given, message, environmentId, 'delivered')
      const outcomes = await Promise.all([report(), change(accepted('<a>')), change(accepted('<b>')), report()])
      expect(outcomes).toEqual(['changed', 'changed', 'lost', 'lost'])
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'delivered',
        mail: { providerMessageId: '<a>', attempts: 1 },
      })
      expect((await recordOf(environmentId, message)).timeline).toHaveLength(1)
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1 })
      // What the sender still thinks changes nothing, and nothing is sent again.
      expect(await change({ does: 'retry', at: given.now(), error: 'timeout' })).toBe('lost')
      expect(await change({ does: 'end', status: 'failed', reason: 'x', error: null })).toBe('lost')
      expect(await change(HAND_OVER)).toBe('lost')
      expect(await given.stores.mails.nextDueInMs(given.now())).toBeNull()
    })

    test('a test mail is not counted, and has its event', async () => {
      const { environmentId, campaignId, message, change } = await givenClaimed(true)
      await change(accepted())
      expect((await recordOf(environmentId, message)).timeline).toHaveLength(1)
      expect(await funnelOf(environmentId, campaignId)).toBeUndefined()
    })

    test('a retry keeps the error and is due at its time; a release only waits', async () => {
      const { environmentId, message, claim, change } = await givenClaimed()
      await change(HAND_OVER)
      const firstAttemptAt = given.now()
      expect(await change({ does: 'retry', at: given.now() + HOUR, error: 'mailbox busy' })).toBe('changed')
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'sending',
        lastError: 'mailbox busy',
      })
      // The claim has ended.
      expect(await change(accepted())).toBe('lost')
      await given.stores.mails.renew([claim], given.now(), LEASE_MS)
      expect(await given.stores.mails.nextDueInMs(given.now())).toBe(HOUR)
      given.advance(HOUR - 1)
      expect(await claimMails(given)).toEqual([])
      given.advance(1)
      const second = await claimOne(given)
      expect(second).toMatchObject({ attempts: 1, firstAttemptAt, handedTo: null })
      const release: MailChange = { does: 'release', at: given.now() + 1000 }
      expect(await changeMail(given, second, environmentId, release)).toBe('changed')
      expect(await claimMails(given)).toEqual([])
      given.advance(1000)
      const third = await claimOne(given)
      expect(third).toMatchObject({ attempts: 1, firstAttemptAt })
      await endMails(given, [third])
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'cancelled',
        statusReason: 'test',
        lastError: 'mailbox busy',
      })
      expect(await given.stores.mails.nextDueInMs(given.now())).toBeNull()
    })

    test('only queued mails are to be sent: no skipped one, no message of the inbox, none that a gate stops', async () => {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      const skipped = { status: 'skipped', statusReason: 'preference' } as const
      const record = await givenMail(given, { environmentId, campaignId, message: skipped })
      expect((await recordOf(environmentId, record)).record.mail).toBeNull()
      await write(given, trackPlan(given, { environmentId, campaignId, userIds: ['u1'] }))
      expect(await claimMails(given)).toEqual([])
      const plans = [0, 1].map(() => throttled(given, environmentId, campaignId))
      await Promise.all(plans.map((plan) => write(given, plan)))
      const claims = await claimMails(given)
      expect(claims.map(({ messageId }) => messageId)).toEqual([firstMessage(plans[0]!).id])
      await endMails(given, claims)
    })

    test('what sending needs is read at once: its content and its user', async () => {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      const other = await givenCampaign(given, environmentId)
      const message = await givenMail(given, { environmentId, campaignId, message: { category: 'news' } })
      const plain = await givenMail(given, { environmentId, campaignId: other, userIds: ['u2'] })
      const ids = [message.id, plain.id, message.id, given.id()]
      const loaded = await given.stores.mails.load(ids.map((messageId) => ({ environmentId, messageId })))
      expect([...loaded.keys()].sort((a, b) => a - b)).toEqual([message.id, plain.id])
      const { runId, eventId, version, stepId, correlationId, createdAt } = message
      expect(loaded.get(message.id)).toEqual({
        ...{ runId, eventId, version, stepId, correlationId, createdAt, campaignId, environmentId },
        ...{ messageId: message.id, userId: 'u1', category: 'news', isTest: false },
        content: JSON.parse(message.snapshot),
      })
      await endMails(given, await claimMails(given))
    })

    test('mails are found by the ids of one integration, and by their own in one environment', async () => {
      const { environmentId, message, change } = await givenClaimed()
      const { mails } = given.stores
      const foundOf = async (environment: number) =>
        (await mails.findOwn(environment, [message.id, given.id()])).get(message.id)
      const user = await given.stores.users.find(environmentId, 'u1')
      const own = {
        messageId: message.id,
        userNo: user?.userNo,
        userId: 'u1',
        category: null,
        address: 'u1@example.com',
        copies: [],
      }
      expect(await foundOf(environmentId)).toEqual({ ...own, isAccepted: false })
      await change(HAND_OVER)
      await change(accepted('<id>'))
      expect(await foundOf(environmentId)).toEqual({ ...own, isAccepted: true })
      expect(await foundOf(given.environmentId())).toBeUndefined()
      expect(await mails.findByProviderIds(7, ['<id>', '<other>', '<id>'])).toEqual(new Map([['<id>', message.id]]))
      expect(await mails.findByProviderIds(8, ['<id>'])).toEqual(new Map())
      expect(await mails.findByProviderIds(7, [])).toEqual(new Map())
    })
  })
}

/** Returns the plan of a mail that a throttle with one place may stop. */
function throttled(given: Given, environmentId: number, campaignId: number) {
  const plan = mailTrackPlan(given, { environmentId, campaignId, userIds: ['u1'] })
  const [run] = plan.runs
  const message = firstMessage(plan)
  if (run === undefined) throw new Error('no run')
  const skipped = { ...message, status: 'skipped' as const, statusReason: 'throttled' }
  const place = { runId: run.id, campaignId, stepId: 'limit', userId: 'u1' }
  const gate = {
    kind: 'throttle' as const,
    ...place,
    limit: 1,
    windowMs: HOUR,
    otherwise: { run, messages: [skipped] },
  }
  return { ...plan, gates: [gate] }
}
