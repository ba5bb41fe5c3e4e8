// Tests of both engines: the lists, counts, sizes and requests of campaigns.

import { describe, expect, test } from 'vitest'
import { type Campaign, type CampaignFilter, LIVE_BYTES } from '../../domain/campaign.ts'
import { givenStore, type OpenStores, START } from './given.ts'

export function campaignsSuite(open: OpenStores): void {
  describe('campaigns', () => {
    const given = givenStore(open)
    test('campaigns are found by status and by a part of name or key, and counted', async () => {
      const { campaigns } = given.stores
      const [environmentId, other] = [given.environmentId(), given.environmentId()]
      const create = (of: number, key: string, name: string, status: Campaign['status']) =>
        campaigns.insertOnce({ ...campaignOf(given.id(), of), key, name, status })
      await create(environmentId, 'welcome', 'Welcome 100%', 'active')
      await create(environmentId, 'order_late', 'Your order', 'draft')
      await create(environmentId, 'orderslate', 'ORDER back', 'draft')
      await create(environmentId, 'back\\slash', 'Über', 'archived')
      await create(other, 'order', 'Theirs', 'active')
      const keysOf = async (filter: CampaignFilter, before: number | null = null, limit = 10) =>
        (await campaigns.list(environmentId, before, limit, filter)).data.map(({ key }) => key)
      expect(await keysOf({ status: 'draft' })).toEqual(['orderslate', 'order_late'])
      expect(await keysOf({ status: 'draft' }, null, 1)).toEqual(['orderslate'])
      const { next } = await campaigns.list(environmentId, null, 1, { status: 'draft' })
      expect(await keysOf({ status: 'draft' }, next)).toEqual(['order_late'])
      expect((await campaigns.list(environmentId, next, 1, { status: 'draft' })).next).toBe(null)
      expect(await keysOf({ q: 'oRdEr' })).toEqual(['orderslate', 'order_late'])
      expect(await keysOf({ q: 'ÖRDER' })).toEqual(['orderslate', 'order_late'])
      expect(await keysOf({ q: 'r_l' })).toEqual(['order_late'])
      expect(await keysOf({ q: '0%' })).toEqual(['welcome'])
      expect(await keysOf({ q: '%' })).toEqual(['welcome'])
      expect(await keysOf({ q: '\\' })).toEqual(['back\\slash'])
      expect(await keysOf({ q: 'ber', status: 'archived' })).toEqual(['back\\slash'])
      expect(await keysOf({ q: '', status: 'paused' })).toEqual([])
      const count = async (filter: { q?: string }) => {
        const { byStatus, waiting } = await campaigns.count(environmentId, filter)
        return { ...Object.fromEntries(byStatus), waiting }
      }
      expect(await count({})).toEqual({ active: 1, draft: 2, archived: 1, waiting: 0 })
      expect(await count({ q: 'order' })).toEqual({ draft: 2, waiting: 0 })

      const ended = { endedBy: null, endedAt: null, reason: 'x' }
      const request = { askedBy: 'a', askedAt: 1, note: null, revision: 1, ...ended, texts: { 'snippet a': 'h' } }
      for (const one of (await campaigns.list(environmentId, null, 10, { status: 'draft' })).data) {
        const publishState = one.key === 'order_late' ? 'waiting' : 'declined'
        expect(await campaigns.save({ ...one, publishState, publishRequest: request }, null)).toBe(true)
      }
      expect(await keysOf({ pendingPublish: 'waiting' })).toEqual(['order_late'])
      expect(await keysOf({ pendingPublish: 'changed' })).toEqual([])
      expect(await count({})).toEqual({ active: 1, draft: 2, archived: 1, waiting: 1 })
      const [declined] = (await campaigns.list(environmentId, null, 10, { pendingPublish: 'declined' })).data
      expect(declined).toMatchObject({ key: 'orderslate', publishState: 'declined', publishRequest: request })
      expect((await campaigns.list(other, null, 10, { pendingPublish: 'waiting' })).data).toEqual([])
    })

    test('large campaigns come on shorter pages, and each once', async () => {
      const { campaigns } = given.stores
      const environmentId = given.environmentId()
      const html = 'x'.repeat(1_500_000)
      for (let at = 0; at < 5; at++) {
        const campaign = { ...campaignOf(given.id(), environmentId), key: `c${at}`, status: 'active' as const }
        const draft = { ...campaign.draft, steps: [{ id: 'a', type: 'email', html }] }
        await campaigns.insertOnce({ ...campaign, draft })
        const version = { campaignId: campaign.id, version: 1, publishedAt: 1, definition: draft, awaits: [] }
        const active = { ...campaign, draft, currentVersion: 1, revision: 0 }
        expect(await campaigns.save(active, version)).toBe(true)
        if (at > 0) continue
        for (const number of [2, 3]) {
          const again = { ...active, currentVersion: number, revision: number - 1 }
          expect(await campaigns.save(again, { ...version, version: number })).toBe(true)
        }
      }
      const pages: string[][] = []
      for (let before: number | null = null; ; ) {
        const { data, next } = await campaigns.list(environmentId, before, 10)
        pages.push(data.map(({ key }) => key))
        if (next === null) break
        before = next
      }
      expect(pages).toEqual([
        ['c4', 'c3', 'c2'],
        ['c1', 'c0'],
      ])
      const [oldest] = (await campaigns.list(environmentId, null, 10)).data
      expect((await campaigns.listVersions(environmentId, oldest?.id ?? 0, null, 10)).next).toBe(null)
      expect((await campaigns.listLive(environmentId)).map(({ campaign }) => campaign.key)).toEqual([
        'c0',
        'c1',
        'c2',
        'c3',
        'c4',
      ])
    })

    test('the live campaigns of an environment have a size that no publication goes beyond', async () => {
      const { campaigns } = given.stores
      const environmentId = given.environmentId()
      const text = 'x'.repeat(LIVE_BYTES / 4)
      const saved: unknown[] = []
      for (let at = 0; at < 5; at++) {
        const campaign = { ...campaignOf(given.id(), environmentId), key: `c${at}`, status: 'active' as const }
        await campaigns.insertOnce(campaign)
        const definition = { ...campaign.draft, name: text }
        const version = { campaignId: campaign.id, version: 1, publishedAt: 1, definition, awaits: [] }
        saved.push(await campaigns.save({ ...campaign, currentVersion: 1, revision: 0 }, version))
      }
      expect(saved).toEqual([true, true, true, 'full', 'full'])
      expect(await campaigns.listLive(environmentId)).toHaveLength(3)
    })
  })
}

export function campaignOf(id: number, environmentId: number): Campaign {
  const names = { key: `c-${id}`, name: 'C', category: null }
  const draft = { ...names, notificationConfigId: null, maxLateness: 'PT24H', trigger: { event: 'e' }, steps: [] }
  const state = { status: 'active', currentVersion: null, drains: false, resumedAt: null } as const
  return { id, environmentId, ...names, ...state, draft, createdAt: START, updatedAt: START }
}
