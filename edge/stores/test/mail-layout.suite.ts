// Tests of both engines: the layout of a sent mail is kept once, found by its mails alone, and removed after the last.

import { describe, expect, test } from 'vitest'
import { LAYOUT_RENEWAL_MS, type MailLayout } from '../../domain/mail/mail-layout.ts'
import { givenStore, type OpenStores } from './given.ts'
import { changeMail, claimOne, givenCampaign, givenMail } from './given-mail.ts'

const handOver = { does: 'hand-over', integrationId: 7, provider: 'smtp' } as const

export function mailLayoutSuite(open: OpenStores): void {
  describe('layouts of sent mails', () => {
    const given = givenStore(open)
    const layoutOf = (layout: string): MailLayout => ({
      look: {
        senderName: 'Shop',
        senderAddress: null,
        replyTo: null,
        layout,
        layoutFormat: 'html',
        tracking: { opens: true, clicks: true },
      },
      from: { name: null, address: 'shop@example.com' },
      isCritical: false,
    })
    const find = (environmentId: number, messageId: number) => given.stores.mailLayouts.findOf(environmentId, messageId)

    /** Queues a mail and hands it over with these layouts in turn. @returns its message */
    async function givenHandedOver(environmentId: number, hashes: string[]): Promise<number> {
      const campaignId = await givenCampaign(given, environmentId)
      const { id } = await givenMail(given, { environmentId, campaignId })
      const claim = await claimOne(given)
      for (const layoutHash of hashes) {
        expect(await changeMail(given, claim, environmentId, { ...handOver, layoutHash })).toBe('changed')
      }
      return id
    }

    test('a mail has the layout of its last hand-over', async () => {
      const environmentId = given.environmentId()
      const { mailLayouts } = given.stores
      await mailLayouts.keep(environmentId, 'first', layoutOf('<p>Grüße ✓</p>{{ content }}'), given.now())
      const standard: MailLayout = { look: null, from: { name: 'Shop', address: 'a@b.example' }, isCritical: true }
      await mailLayouts.keep(environmentId, 'second', standard, given.now())
      const first = await givenHandedOver(environmentId, ['first'])
      expect(await find(environmentId, first)).toEqual(layoutOf('<p>Grüße ✓</p>{{ content }}'))
      const second = await givenHandedOver(environmentId, ['first', 'second'])
      expect(await find(environmentId, second)).toEqual(standard)
      expect(await find(given.environmentId(), second)).toBeUndefined()
      expect(await find(environmentId, await givenHandedOver(environmentId, []))).toBeUndefined()
    })

    test('environments share none, and a kept one is not replaced', async () => {
      const [one, other] = [given.environmentId(), given.environmentId()]
      const { mailLayouts } = given.stores
      await mailLayouts.keep(one, 'hash', layoutOf('one'), given.now())
      await mailLayouts.keep(other, 'hash', layoutOf('other'), given.now())
      await Promise.all([1, 2, 3].map((at) => mailLayouts.keep(one, 'hash', layoutOf('again'), given.now() + at)))
      expect(await find(one, await givenHandedOver(one, ['hash']))).toEqual(layoutOf('one'))
      expect(await find(other, await givenHandedOver(other, ['hash']))).toEqual(layoutOf('other'))
    })

    test('retention removes a layout after the mails that have it', async () => {
      const environmentId = given.environmentId()
      const { mailLayouts, retention } = given.stores
      const usedAt = given.now()
      await mailLayouts.keep(environmentId, 'renewed', layoutOf('renewed'), usedAt)
      await mailLayouts.keep(environmentId, 'old', layoutOf('old'), usedAt)
      await mailLayouts.keep(environmentId, 'renewed', layoutOf('renewed'), usedAt + LAYOUT_RENEWAL_MS)
      const purge = async (before: number) => {
        let rows = 0
        for (let step = -1; step !== 0; rows += step) step = (await retention.purgeStep(environmentId, before)).rows
        return rows
      }
      const end = usedAt + 2 * LAYOUT_RENEWAL_MS
      expect(await purge(end)).toBe(0)
      expect(await purge(end + 1)).toBe(1)
      expect(await find(environmentId, await givenHandedOver(environmentId, ['old']))).toBeUndefined()
      expect(await find(environmentId, await givenHandedOver(environmentId, ['renewed']))).toEqual(layoutOf('renewed'))
    })
  })
}
