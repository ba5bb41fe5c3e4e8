// Tests of both engines: the mailbox keeps one mail of a message that is there, and says which mails its limit removed.

import { describe, expect, test } from 'vitest'
import { type KeptMail, MAILBOX_SIZE } from '../../domain/mail/mailbox.ts'
import type { NewMessage } from '../../domain/plan.ts'
import { givenStore, type OpenStores, write } from './given.ts'
import { endMails, givenCampaign, givenMail, mailTrackPlan } from './given-mail.ts'

export function mailboxSuite(open: OpenStores): void {
  describe('mailbox', () => {
    const given = givenStore(open)

    const mailOf = ({ id: messageId }: Pick<NewMessage, 'id'>, environmentId: number, eml: string): KeptMail => ({
      messageId,
      environmentId,
      from: { name: null, address: 'shop@example.com' },
      to: { name: null, address: 'u1@example.com' },
      subject: 'Hello',
      html: '<p>Hi</p>',
      text: 'Hi',
      eml,
      createdAt: given.now(),
    })

    test('a mail is kept once, and not for a message that is gone or of another environment', async () => {
      const environmentId = given.environmentId()
      const message = await givenMail(given, { environmentId, campaignId: await givenCampaign(given, environmentId) })
      const { mailbox } = given.stores
      expect(await mailbox.keep(mailOf(message, environmentId, 'first'))).toEqual({ eml: 'first', removed: [] })
      expect(await mailbox.keep(mailOf(message, environmentId, 'second'))).toEqual({ eml: 'first', removed: [] })
      expect((await mailbox.find(environmentId, message.id))?.eml).toBe('first')
      const gone = { id: given.id() }
      expect(await mailbox.keep(mailOf(gone, environmentId, 'x'))).toEqual({ eml: null, removed: [] })
      expect(await mailbox.findKept([message.id, gone.id])).toEqual(new Set([message.id]))
      expect(await mailbox.findKept([])).toEqual(new Set())
      const other = await givenMail(given, { environmentId, campaignId: 1 })
      expect(await mailbox.keep(mailOf(other, given.environmentId(), 'x'))).toEqual({ eml: null, removed: [] })
    })

    test('the limit of an environment removes its oldest mails alone, and says which', async () => {
      const environmentId = given.environmentId()
      const foreign = given.environmentId()
      const { mailbox } = given.stores
      const first = await givenMail(given, { environmentId: foreign, campaignId: 1 })
      await mailbox.keep(mailOf(first, foreign, 'foreign'))
      const userIds = Array.from({ length: MAILBOX_SIZE + 2 }, (_, at) => `u${at}`)
      const plan = mailTrackPlan(given, { environmentId, userIds, campaignId: 1 })
      await write(given, plan)
      const removed: number[] = []
      for (const message of plan.messages) {
        removed.push(...(await mailbox.keep(mailOf(message, environmentId, 'x'))).removed)
      }
      const ids = plan.messages.map(({ id }) => id)
      expect(removed).toEqual(ids.slice(0, 2))
      expect(await mailbox.findKept([first.id, ...ids])).toEqual(new Set([first.id, ...ids.slice(2)]))
      await endMails(given, await given.stores.mails.claim(given.now(), 1000, 1000))
    })
  })
}
