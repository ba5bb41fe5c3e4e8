// Tests of both engines: mails of a paused campaign wait until it is resumed or archived.

import { describe, expect, test } from 'vitest'
import type { CampaignStatus } from '../../domain/campaign.ts'
import type { ClaimedMail } from '../../domain/mail/mail.ts'
import { givenStore, type OpenStores, write } from './given.ts'
import { changeMail, claimMails, claimOne, endMails, givenCampaign, mailTrackPlan, reportMail } from './given-mail.ts'

export function pausedMailSuite(open: OpenStores): void {
  describe('mails of a paused campaign', () => {
    const given = givenStore(open)
    const idsOf = (claims: ClaimedMail[]) => claims.map(({ messageId }) => messageId)

    /** Queues mails of a paused campaign, claims them, and makes them wait until a minute has passed. */
    async function givenPaused(count: number) {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId, { status: 'paused' })
      const userIds = Array.from({ length: count }, (_, n) => `u${n}`)
      await write(given, mailTrackPlan(given, { environmentId, campaignId, userIds }))
      const until = given.now() + 60_000
      const claims = await claimMails(given)
      for (const claim of claims) {
        expect(await changeMail(given, claim, environmentId, { does: 'await-resume', campaignId, until })).toBe(
          'changed',
        )
      }
      async function turn(status: CampaignStatus): Promise<void> {
        const campaign = await given.stores.campaigns.find(environmentId, campaignId)
        if (campaign === undefined) throw new Error('no campaign')
        expect(await given.stores.campaigns.save({ ...campaign, status }, null)).toBe(true)
      }
      return { environmentId, campaignId, until, ids: idsOf(claims), turn }
    }
    const releaseResumed = () => given.stores.heldMails.releaseResumed(given.now())

    test.each(['active', 'archived'] as const)(
      'mails of a paused campaign wait until it is %s, all at once',
      async (status) => {
        const [paused, other] = [await givenPaused(20), await givenPaused(1)]
        given.advance(1000)
        expect(await releaseResumed()).toBe(0)
        expect(await claimMails(given)).toEqual([])
        await paused.turn(status)
        expect(await releaseResumed()).toBe(20)
        expect(await releaseResumed()).toBe(0)
        const claims = await claimMails(given)
        expect(idsOf(claims)).toEqual(paused.ids)
        await endMails(given, claims)
        given.advance(60_000)
        const late = await claimMails(given)
        expect(idsOf(late)).toEqual(other.ids)
        // A claimed mail is not released by the end of the pause, and no longer waits for it after its next change.
        await other.turn('active')
        expect(await releaseResumed()).toBe(0)
        for (const claim of late) {
          await changeMail(given, claim, other.environmentId, { does: 'release', at: given.now() + 500 })
        }
        expect(await releaseResumed()).toBe(0)
        given.advance(500)
        await endMails(given, await claimMails(given))
      },
    )

    test('a resume between the look at a mail and its change is not missed, and reports decide about waiting mails', async () => {
      const { environmentId, campaignId, ids, turn } = await givenPaused(2)
      await turn('active')
      const [first] = ids
      await reportMail(given, { id: first } as never, environmentId, 'delivered')
      expect(await releaseResumed()).toBe(1)
      const claim = await claimOne(given)
      const until = given.now() + 60_000
      await changeMail(given, claim, environmentId, { does: 'await-resume', campaignId, until })
      expect(await claimMails(given)).toEqual([])
      expect(await releaseResumed()).toBe(1)
      await endMails(given, await claimMails(given))
    })
  })
}
