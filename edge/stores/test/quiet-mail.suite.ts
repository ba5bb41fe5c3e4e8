// Tests of both engines: mails wait for the end of their users' quiet hours, over restarts, and are sent once.

import { describe, expect, test } from 'vitest'
import { givenStore, type OpenStores, trackPlan, write } from './given.ts'
import { accepted, changeMail, claimMails, claimOne, endMails, HAND_OVER, mailsOf } from './given-mail.ts'

const NIGHT_MS = 9 * 3_600_000

export function quietMailSuite(open: OpenStores): void {
  describe('mails in quiet hours', () => {
    const given = givenStore(open)
    const { recordOf, givenClaimed } = mailsOf(given)

    /** Queues and claims a mail to `u1`, and makes it wait through the night. */
    async function givenWaiting() {
      const mail = await givenClaimed()
      const endsAt = given.now() + NIGHT_MS
      expect(await mail.change({ does: 'await-quiet-end', at: endsAt })).toBe('changed')
      const user = await given.stores.users.find(mail.environmentId, 'u1')
      const record = () => recordOf(mail.environmentId, mail.message)
      return { ...mail, endsAt, record, userNo: user?.userNo ?? 0 }
    }

    test('a waiting mail is due at the end, once, also after a restart; the record shows the wait', async () => {
      const { environmentId, message, claim, endsAt, record } = await givenWaiting()
      expect(await record()).toMatchObject({
        record: { status: 'queued', statusReason: 'quiet-hours', mail: { attempts: 0 } },
        nextAttemptAt: endsAt,
      })
      await given.reopen()
      given.advance(NIGHT_MS - 1)
      expect(await claimMails(given)).toEqual([])
      given.advance(1)
      const due = await claimOne(given)
      expect(due).toMatchObject({ messageId: message.id, attempts: 0, firstAttemptAt: null, claims: 1 })
      expect(await claimMails(given)).toEqual([])
      // The claim from before the wait has ended.
      expect(await changeMail(given, claim, environmentId, HAND_OVER)).toBe('lost')
      await changeMail(given, due, environmentId, HAND_OVER)
      expect((await record()).record).toMatchObject({ status: 'sending', statusReason: null })
      await changeMail(given, due, environmentId, accepted())
      expect(await record()).toMatchObject({ record: { status: 'sent', statusReason: null }, nextAttemptAt: null })
    })

    test('the half hour of attempts begins anew after the wait, and their number stays', async () => {
      const { environmentId, claim, change } = await givenClaimed()
      await change(HAND_OVER)
      await change({ does: 'retry', at: given.now() + 1000, error: 'busy' })
      given.advance(1000)
      const second = await claimOne(given)
      expect(second).toMatchObject({ attempts: 1, firstAttemptAt: given.now() - 1000 })
      await changeMail(given, second, environmentId, { does: 'await-quiet-end', at: given.now() + NIGHT_MS })
      given.advance(NIGHT_MS)
      const third = await claimOne(given)
      expect(third).toMatchObject({ messageId: claim.messageId, attempts: 1, firstAttemptAt: null })
      await endMails(given, [third])
    })

    test.each<[string, (environmentId: number, userNo: number) => Promise<unknown>]>([
      [
        'hours',
        (environmentId, userNo) =>
          given.stores.sendRules.changePreferences(
            environmentId,
            userNo,
            { choices: {}, quietHours: null },
            given.now(),
          ),
      ],
      [
        'the time zone in the profile',
        (environmentId) => given.stores.users.upsert(environmentId, 'u1', { timeZone: 'Asia/Tokyo' }, given.now()),
      ],
      [
        'the time zone by an event',
        (environmentId) => {
          const profile = { userId: 'u1', change: { timeZone: 'Asia/Tokyo' } }
          return write(given, { ...trackPlan(given, { environmentId, userIds: [] }), profile })
        },
      ],
    ])('a change of %s makes the waiting mails of that user due', async (_, changeRules) => {
      const [waiting, other] = [await givenWaiting(), await givenWaiting()]
      const { sendRules, users } = given.stores
      // What concerns neither changes nothing.
      await users.upsert(waiting.environmentId, 'u1', { name: 'Ada' }, given.now())
      await sendRules.changePreferences(waiting.environmentId, waiting.userNo, { choices: {} }, given.now())
      expect(await claimMails(given)).toEqual([])
      await changeRules(waiting.environmentId, waiting.userNo)
      const due = await claimOne(given)
      expect(due.messageId).toBe(waiting.message.id)
      await endMails(given, [due])
      given.advance(NIGHT_MS)
      expect((await other.record()).record.statusReason).toBe('quiet-hours')
      await endMails(given, [await claimOne(given)])
    })
  })
}
