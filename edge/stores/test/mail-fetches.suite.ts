// Tests of both engines: fetches of a mail's pixel and links by programs do not count, also where they counted at first.

import { describe, expect, test } from 'vitest'
import type { RegisteredEventType } from '../../../contract/delivery.ts'
import { givenStore, type OpenStores } from './given.ts'
import { accepted, mailsOf } from './given-mail.ts'

/** A link, or `null` for the pixel, and the network. */
type Fetched = readonly [link: string | null, fetchedFrom: string | null]

export function mailFetchesSuite(open: OpenStores): void {
  describe('fetches of mails', () => {
    const given = givenStore(open)
    const { recordOf, funnelOf, givenClaimed } = mailsOf(given)

    async function givenSent(isTest = false) {
      const { environmentId, campaignId, message, change } = await givenClaimed(isTest)
      await change(accepted())
      return {
        environmentId,
        campaignId,
        fetch([link, fetchedFrom]: Fetched, occurredAt = given.now()) {
          const eventType: RegisteredEventType = link === null ? 'opened' : 'clicked'
          const item = {
            messageId: message.id,
            eventType,
            occurredAt,
            automated: false,
            source: 'link',
            link,
            fetchedFrom,
          }
          return given.stores.commit.deliver({
            kind: 'deliver',
            environmentId,
            userNo: null,
            now: given.now(),
            items: [item],
          })
        },
        async timeline() {
          const { timeline } = await recordOf(environmentId, message)
          return timeline.slice(1).map((event) => `${event.eventType} ${event.automated ? 'automated' : 'counted'}`)
        },
        record: async () => (await recordOf(environmentId, message)).record,
      }
    }
    const SCAN: Fetched[] = [
      [null, 'x'],
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'y'],
      ['e', 'x'],
    ]
    const NOTHING = { readAt: null, openedAt: null, clickedAt: null }

    test.each([
      ['one after another', false],
      ['in one batch', true],
    ])('a scan is automated, and one click ten minutes later counts: %s', async (_, isAtOnce) => {
      const { fetch, environmentId, campaignId, timeline, record } = await givenSent()
      if (isAtOnce) await Promise.all(SCAN.map((one, nth) => fetch(one, given.now() + nth)))
      else {
        for (const one of SCAN) {
          given.advance(500)
          await fetch(one)
        }
      }
      expect(await timeline()).toEqual(
        expect.arrayContaining(['read automated', 'opened automated', 'clicked automated']),
      )
      expect(await record()).toMatchObject(NOTHING)
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1, read: 0, opened: 0, clicked: 0 })
      given.advance(600_000)
      expect((await fetch(['a', 'x'])).results).toEqual(['recorded'])
      expect((await timeline()).toSorted()).toEqual(['clicked counted', 'opened counted', 'read counted'])
      expect(await record()).toMatchObject({ clickedAt: given.now() })
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1, read: 1, opened: 1, clicked: 1 })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a person who opens and clicks two links within 20 seconds counts', async () => {
      const { fetch, environmentId, campaignId, timeline } = await givenSent()
      for (const one of [
        [null, 'home'],
        ['a', 'home'],
        ['b', 'home'],
      ] as const) {
        given.advance(6000)
        await fetch(one)
      }
      expect(await timeline()).toEqual(['read counted', 'opened counted', 'clicked counted'])
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1, read: 1, opened: 1, clicked: 1 })
    })

    test('what a person did before a scan stays', async () => {
      const { fetch, environmentId, campaignId, timeline, record } = await givenSent()
      given.advance(60_000)
      const openedAt = given.now()
      await fetch([null, 'home'])
      given.advance(60_000)
      for (const [link] of SCAN.slice(1)) await fetch([link, null])
      expect(await timeline()).toEqual(['read counted', 'opened counted', 'clicked automated'])
      expect(await record()).toMatchObject({ readAt: openedAt, openedAt, clickedAt: null })
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ read: 1, opened: 1, clicked: 0 })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a click of a person that is known already keeps its steps when a scan before it is reported later', async () => {
      const { fetch, environmentId, campaignId, timeline } = await givenSent()
      const acceptedAt = given.now()
      given.advance(600_000)
      await fetch(['a', null])
      for (const [nth, [link]] of SCAN.entries()) await fetch([link, null], acceptedAt + nth * 500)
      expect(await timeline()).toEqual(expect.arrayContaining(['read counted', 'opened counted', 'clicked counted']))
      expect(await funnelOf(environmentId, campaignId)).toMatchObject({ read: 1, opened: 1, clicked: 1 })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a scan of a test mail changes no counter', async () => {
      const { fetch, environmentId, campaignId, timeline } = await givenSent(true)
      for (const one of SCAN) await fetch(one)
      expect(await timeline()).toEqual(expect.arrayContaining(['clicked automated']))
      expect(await funnelOf(environmentId, campaignId)).toBeUndefined()
    })
  })
}
