// Tests of both engines: reads, opens and clicks, their order and their counters.

import { describe, expect, test } from 'vitest'
import { act, counts, funnelOf, givenStore, HOUR, type OpenStores, page, report, userWithMessages } from './given.ts'

export function engagementSuite(open: OpenStores): void {
  describe('engagement', () => {
    const given = givenStore(open)

    test('read clears the badge, opened also the dot, and a repeat changes nothing', async () => {
      const { user, messageIds } = await userWithMessages(given, 2)
      const [first = 0, second = 0] = messageIds
      expect(await report(given, user, first, ['read'])).toMatchObject({
        results: ['recorded'],
        pushes: [{ from: 2, seq: 3, unread: 1, unopened: 2 }],
      })
      expect(await report(given, user, first, ['read'])).toEqual({ results: ['repeated'], pushes: [] })
      const opened = await report(given, user, second, ['opened'])
      expect(opened.pushes[0]?.changes[0]).toMatchObject({
        op: 'update',
        patch: { unopened: false, readAt: expect.any(String), openedAt: expect.any(String) },
      })
      expect(await counts(given, user)).toEqual({ seq: 4, unread: 0, unopened: 1 })
    })

    test('a later step implies the earlier ones; their real events are recorded once and not counted again', async () => {
      const campaignId = given.id()
      const { user, messageIds } = await userWithMessages(given, 1, { campaignId })
      const [messageId = 0] = messageIds
      expect((await report(given, user, messageId, ['clicked'])).results).toEqual(['recorded'])
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 1,
        read: 1,
        opened: 1,
        clicked: 1,
      })
      expect((await report(given, user, messageId, ['read', 'read', 'opened', 'opened'])).results).toEqual([
        'recorded',
        'repeated',
        'recorded',
        'repeated',
      ])
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 1,
        read: 1,
        opened: 1,
        clicked: 1,
      })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('an automated event counts nowhere and changes nothing until a real event replaces it', async () => {
      const campaignId = given.id()
      const { user, messageIds } = await userWithMessages(given, 1, { campaignId })
      const [messageId = 0] = messageIds
      const automated = { type: 'opened' as const, automated: true }
      expect(await report(given, user, messageId, [automated, automated])).toEqual({
        results: ['recorded', 'repeated'],
        pushes: [],
      })
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 1,
        read: 0,
        opened: 0,
        clicked: 0,
      })
      expect((await report(given, user, messageId, ['clicked'])).results).toEqual(['recorded'])
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 1,
        read: 1,
        opened: 1,
        clicked: 1,
      })
      expect((await report(given, user, messageId, ['opened', automated])).results).toEqual(['recorded', 'repeated'])
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 1,
        read: 1,
        opened: 1,
        clicked: 1,
      })
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a step counts in the hour of the delivery, by version and branch', async () => {
      const campaignId = given.id()
      const { user, messageIds } = await userWithMessages(given, 2, { campaignId, version: 3, branch: 'a/b' })
      const delivered = given.now()
      given.advance(2 * HOUR)
      await report(given, user, messageIds[0] ?? 0, ['read'])
      const counted = { version: 3, branch: 'a/b', delivery: 2, read: 1, opened: 0, clicked: 0 }
      expect(await given.stores.funnels.slices(user.environmentId, campaignId, 'inbox', delivered)).toEqual([counted])
      expect(await given.stores.funnels.slices(user.environmentId, campaignId, 'inbox', null)).toEqual([counted])
      expect(await given.stores.funnels.slices(user.environmentId, campaignId, 'inbox', given.now())).toEqual([])
    })

    test('a window of weeks is the sum of its hours, without counts from before it', async () => {
      const environmentId = given.environmentId()
      const campaignId = given.id()
      const startedAt = given.now()
      let halfAt = startedAt
      // Six messages over twenty days on two branches, each of them read.
      for (let nth = 0; nth < 6; nth++) {
        if (nth === 3) halfAt = given.now()
        const over = { environmentId, campaignId, branch: nth % 2 === 0 ? 'a' : null }
        const { user, messageIds } = await userWithMessages(given, 1, over)
        await report(given, user, messageIds[0] ?? 0, ['read'])
        given.advance(4 * 24 * HOUR)
      }
      const slice = (branch: string | null, count: number) => {
        return { version: 1, branch, delivery: count, read: count, opened: 0, clicked: 0 }
      }
      const { slices } = given.stores.funnels
      expect(await slices(environmentId, campaignId, 'inbox', startedAt)).toEqual([slice(null, 3), slice('a', 3)])
      expect(await slices(environmentId, campaignId, 'inbox', startedAt)).toEqual(
        await slices(environmentId, campaignId, 'inbox', null),
      )
      expect(await slices(environmentId, campaignId, 'inbox', halfAt)).toEqual([slice(null, 2), slice('a', 1)])
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a window counts the hours of its first day from its start, and each later day once', async () => {
      const environmentId = given.environmentId()
      const campaignId = given.id()
      // From noon: three messages before midnight, two on the next day, one on the day after that.
      const startedAt = given.now() - (given.now() % (24 * HOUR)) + 36 * HOUR
      given.advance(startedAt - given.now())
      const hours = [0, 1, 11, 12, 35, 36]
      for (const [nth, hour] of hours.entries()) {
        await userWithMessages(given, 1, { environmentId, campaignId })
        given.advance(((hours[nth + 1] ?? hour) - hour) * HOUR)
      }
      const counts = await Promise.all(
        hours.map(async (hour) => {
          const [slice] = await given.stores.funnels.slices(environmentId, campaignId, 'inbox', startedAt + hour * HOUR)
          return slice?.delivery
        }),
      )
      expect(counts).toEqual([6, 5, 4, 3, 2, 1])
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('times of callers are moved into the range from creation to now', async () => {
      const { user, messageIds } = await userWithMessages(given, 2)
      const created = given.now()
      given.advance(1000)
      await report(given, user, messageIds[0] ?? 0, [{ type: 'read', at: 1 }])
      await report(given, user, messageIds[1] ?? 0, [{ type: 'read', at: given.now() + HOUR }])
      const { messages } = await page(given, user)
      expect(messages.map((message) => message.readAt)).toEqual([given.now(), created])
    })

    test('a message of another user is missing except for a trusted caller, one of another environment for both', async () => {
      const { user, messageIds } = await userWithMessages(given, 1)
      const other = await userWithMessages(given, 1)
      const [mine = 0] = messageIds
      expect((await report(given, other.user, mine, ['read'])).results).toEqual(['missing'])
      expect((await report(given, user, 987654, ['read'])).results).toEqual(['missing'])
      const trusted = { userNo: null }
      expect(
        (await report(given, { ...user, environmentId: other.environmentId }, mine, ['read'], trusted)).results,
      ).toEqual(['missing'])
      expect((await report(given, user, mine, ['read'], trusted)).results).toEqual(['recorded'])
      expect(await act(given, other.user, [mine], [{ action: 'archive' }])).toEqual({
        found: [false],
        changed: 0,
        pushes: [],
      })
      expect(await counts(given, user)).toEqual({ seq: 2, unread: 0, unopened: 1 })
    })
  })
}
