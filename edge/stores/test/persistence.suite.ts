// Tests of both engines: campaigns, sessions, erasure, and the data that survive a restart.

import { describe, expect, test } from 'vitest'
import type { Campaign, StoredDefinition } from '../../domain/campaign.ts'
import {
  counts,
  givenStore,
  HOUR,
  type OpenStores,
  page,
  readAll,
  report,
  trackPlan,
  userWithMessages,
  write,
} from './given.ts'

export function persistenceSuite(open: OpenStores): void {
  describe('persistence', () => {
    const given = givenStore(open)

    test('a campaign is changed only at the revision that was read, together with its version', async () => {
      const campaign = newCampaign(given.environmentId())
      const { campaigns } = given.stores
      expect(await campaigns.insertOnce(campaign)).toBe(true)
      expect(await campaigns.insertOnce({ ...campaign, id: given.id() })).toBe(false)
      const active = { ...campaign, status: 'active' as const, currentVersion: 1, updatedAt: 9 }
      const version = { campaignId: campaign.id, version: 1, publishedAt: 9, definition: campaign.draft, awaits: [] }
      expect(await campaigns.save({ ...active, revision: 1 }, version)).toBe(false)
      expect(await campaigns.listVersions(campaign.environmentId, campaign.id, null, 10)).toEqual({
        data: [],
        next: null,
      })
      const elsewhere = { ...active, environmentId: active.environmentId + 1, revision: 0 }
      expect(await campaigns.save(elsewhere, null)).toBe(false)
      expect(await campaigns.save({ ...active, revision: 0 }, version)).toBe(true)
      const notAsked = { publishState: null, publishRequest: null }
      expect(await campaigns.find(campaign.environmentId, campaign.id)).toEqual({ ...active, ...notAsked, revision: 1 })
      expect(await campaigns.find(campaign.environmentId + 1, campaign.id)).toBeUndefined()
      const { awaits: _awaits, ...published } = version
      expect(await campaigns.findVersion(campaign.environmentId, campaign.id, 1)).toEqual(published)
      const { draft: _draft, ...head } = active
      expect(await campaigns.listLive(campaign.environmentId)).toEqual([
        { campaign: head, version: 1, definition: campaign.draft },
      ])
      await campaigns.save({ ...active, status: 'archived', revision: 1 }, null)
      expect(await campaigns.listLive(campaign.environmentId)).toEqual([])
      const listed = await campaigns.list(campaign.environmentId, null, 10)
      expect(listed.data.map((one) => one.id)).toEqual([campaign.id])
    })

    test('sessions end once, by user, by credential and by front key', async () => {
      const { sessions } = given.stores
      const environmentId = given.environmentId()
      const user = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      const base = {
        environmentId,
        userNo: user.userNo,
        userId: 'u1',
        createdAt: given.now(),
        expiresAt: given.now() + HOUR,
      }
      const [a, b, c, d] = [given.id(), given.id(), given.id(), given.id()]
      await sessions.create({ ...base, id: a, credential: 'x', frontKeyId: 1 })
      await sessions.create({ ...base, id: b, credential: 'x', frontKeyId: 2 })
      await sessions.create({ ...base, id: c, credential: 'y', frontKeyId: 1 })
      await sessions.create({ ...base, id: d, credential: 'y', frontKeyId: 2 })
      const endA = () => sessions.end(environmentId, a, given.now())
      expect([await endA(), await endA()]).toEqual([true, false])
      expect(await sessions.endAllOfCredential(environmentId, { credential: 'x' }, given.now())).toEqual([b])
      expect(await sessions.endAllOfCredential(environmentId, { frontKeyId: 1 }, given.now())).toEqual([c])
      expect(await sessions.endAllOfCredential(environmentId + 1, { credential: 'y' }, given.now())).toEqual([])
      expect(await sessions.endAllOfUser(user.userNo, given.now())).toEqual([d])
      expect(await sessions.listEnded(given.now())).toEqual([a, b, c, d])
      given.advance(HOUR)
      expect(await sessions.listEnded(given.now())).toEqual([])
      await sessions.purgeExpired(given.now())
    })

    test('an erased user leaves only counters, which stay correct, and returns as a new user', async () => {
      const campaignId = given.id()
      const { user, environmentId, messageIds } = await userWithMessages(given, 600, { campaignId })
      const other = trackPlan(given, { environmentId, userIds: ['u2'], campaignId })
      await write(given, other)
      await report(given, user, messageIds[0] ?? 0, ['clicked'])
      await report(given, user, messageIds[1] ?? 0, [{ type: 'read', automated: true }])
      await given.stores.topics.change(environmentId, 'news', ['u1', 'u2'], [], given.now())
      await given.stores.sessions.create({
        id: given.id(),
        environmentId,
        userNo: user.userNo,
        userId: 'u1',
        credential: 'x',
        frontKeyId: 1,
        createdAt: given.now(),
        expiresAt: given.now() + HOUR,
      })
      const before = await given.stores.funnels.slices(environmentId, campaignId, 'inbox', null)
      expect(before).toMatchObject([{ delivery: 601, read: 1, opened: 1, clicked: 1 }])

      expect(await given.stores.users.erase(environmentId, 'u1', given.now())).toBe(true)
      expect(await given.stores.users.erase(environmentId, 'u1', given.now())).toBe(false)
      expect(await given.stores.users.find(environmentId, 'u1')).toBeUndefined()
      expect((await given.stores.events.list(environmentId, { userId: 'u1' }, null, 10)).events).toEqual([])
      expect(await page(given, user)).toMatchObject({ messages: [], head: { seq: 0, unread: 0 } })
      expect(
        (await given.stores.topics.listSubscribers(environmentId, 'news', 0, 10)).map((one) => one.userId),
      ).toEqual(['u2'])
      expect(await given.stores.sessions.listEnded(given.now())).toHaveLength(1)
      expect(await given.stores.funnels.slices(environmentId, campaignId, 'inbox', null)).toEqual(before)
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })

      expect((await report(given, user, messageIds[0] ?? 0, ['read'])).results).toEqual(['missing'])
      expect(await readAll(given, user, 10)).toMatchObject({ changed: 0, pushes: [] })
      await write(given, trackPlan(given, { environmentId, userIds: ['u1'], campaignId }))
      const again = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      expect(again.userNo).toBeGreaterThan(user.userNo)
      expect(await counts(given, again)).toEqual({ seq: 1, unread: 1, unopened: 1 })
    })

    test('a restart keeps all data, and reuses no id', async () => {
      const { user, environmentId } = await userWithMessages(given, 3)
      const before = await page(given, user)
      const plan = trackPlan(given, { environmentId, idempotency: { key: 'k', bodyHash: 'h' } })
      await write(given, plan)
      const highest = plan.event?.id ?? 0
      const job = {
        id: given.id(),
        environmentId,
        kind: 'k',
        payload: '{"a":1}',
        runAt: given.now(),
        createdAt: given.now(),
      }
      await write(given, { ...trackPlan(given, { environmentId }), jobs: [job] })
      const stores = await given.reopen()
      expect(stores.idFloor).toBeGreaterThanOrEqual(Math.max(highest, job.id))
      expect(await page(given, user)).toEqual(before)
      const repeat = trackPlan(given, { environmentId, idempotency: { key: 'k', bodyHash: 'h' } })
      expect(await stores.commit.track(repeat)).toMatchObject({ result: 'duplicate', eventId: highest })
      expect(await stores.jobs.claim(given.now(), 1000, 1, ['k'])).toMatchObject([{ id: job.id, payload: '{"a":1}' }])
      const { pushes } = await write(given, trackPlan(given, { environmentId, userIds: ['u1'] }))
      expect(pushes).toMatchObject([{ userNo: user.userNo, epoch: before.head.epoch, from: 3, seq: 4 }])
    })

    function newCampaign(environmentId: number): Campaign {
      const draft: StoredDefinition = {
        key: 'order-shipped',
        name: 'Order shipped',
        category: 'orders',
        notificationConfigId: null,
        maxLateness: 'PT24H',
        trigger: { event: 'order.shipped' },
        steps: [{ id: 'notify', type: 'inbox', title: 'Hi' }],
      }
      const { key, name, category } = draft
      return {
        id: given.id(),
        environmentId,
        key,
        name,
        category,
        status: 'draft',
        currentVersion: null,
        drains: false,
        resumedAt: null,
        draft,
        createdAt: 1,
        updatedAt: 1,
      }
    }
  })
}
