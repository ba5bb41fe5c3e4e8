// Tests of both engines: what reports of a provider change about a mail, before and after its acceptance.

import { describe, expect, test } from 'vitest'
import { givenStore, HOUR, type OpenStores } from './given.ts'
import { accepted, changeMail, claimMails, endMails, HAND_OVER, mailsOf, reportMail } from './given-mail.ts'

export function mailReportsSuite(open: OpenStores): void {
  describe('reports of mails', () => {
    const given = givenStore(open)
    const { recordOf, statusOf, funnelOf, givenQueued, givenClaimed } = mailsOf(given)

    test.each([
      ['rejected', 'lost', 'failed'],
      ['outcome-unknown', 'changed', 'delivered'],
    ] as const)('a report of a mail that failed as %s is %s: %s', async (reason, outcome, status) => {
      const { environmentId, campaignId, message, change } = await givenClaimed()
      await change(HAND_OVER)
      await change({ does: 'end', status: 'failed', reason, error: 'no answer' })
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'failed',
        statusReason: reason,
        lastError: 'no answer',
      })
      expect(await reportMail(given, message, environmentId, 'delivered', { providerMessageId: 'p' })).toBe(outcome)
      const { record } = await recordOf(environmentId, message)
      expect([record.status, record.statusReason]).toEqual([status, outcome === 'lost' ? reason : null])
      expect(await funnelOf(environmentId, campaignId)).toEqual(
        outcome === 'lost' ? undefined : expect.objectContaining({ delivery: 1 }),
      )
    })

    test('a bounce comes after sent, delivered or nothing, and is the end', async () => {
      const { environmentId, campaignId, message, change } = await givenClaimed()
      await change(HAND_OVER)
      const bounced = () => reportMail(given, message, environmentId, 'bounced', { error: '550 unknown user' })
      expect(await bounced()).toBe('changed')
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'bounced',
        lastError: '550 unknown user',
      })
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1 })
      expect(await bounced()).toBe('lost')
      // Reports may come in any order: the time of the delivery is kept, the status does not go back.
      expect(await reportMail(given, message, environmentId, 'delivered')).toBe('changed')
      expect(await reportMail(given, message, environmentId, 'accepted')).toBe('lost')
      expect((await recordOf(environmentId, message)).record).toMatchObject({
        status: 'bounced',
        mail: { deliveredAt: given.now() },
      })
      const other = await givenClaimed()
      await other.change(accepted())
      for (const status of ['delivered', 'bounced'] as const) {
        expect(await reportMail(given, other.message, other.environmentId, status)).toBe('changed')
        expect(await statusOf(other.environmentId, other.message)).toBe(status)
      }
      expect(await funnelOf(other.environmentId, other.campaignId)).toMatchObject({ delivery: 1 })
    })

    test("a report's time lies between the mail's creation and now", async () => {
      for (const [offset, expected] of [
        [-HOUR, 0],
        [HOUR, 1000],
      ] as const) {
        const { environmentId, message } = await givenClaimed()
        const createdAt = given.now()
        given.advance(1000)
        await reportMail(given, message, environmentId, 'accepted', { at: createdAt + offset })
        expect((await recordOf(environmentId, message)).record.acceptedAt).toBe(createdAt + expected)
      }
    })

    test('a change that names another environment, or an unknown message, is lost', async () => {
      const { environmentId, message, claim } = await givenClaimed()
      expect(await changeMail(given, claim, given.environmentId(), accepted())).toBe('lost')
      expect(await reportMail(given, message, given.environmentId(), 'delivered')).toBe('lost')
      expect(await reportMail(given, { ...message, id: given.id() }, environmentId, 'delivered')).toBe('lost')
      expect(await statusOf(environmentId, message)).toBe('queued')
      await endMails(given, [claim])
    })

    test('a mail that a report accepts while it is due is not claimed', async () => {
      const { environmentId, message } = await givenQueued()
      expect(await reportMail(given, message, environmentId, 'accepted')).toBe('changed')
      expect(await claimMails(given)).toEqual([])
    })
  })
}
