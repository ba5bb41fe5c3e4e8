// Tests of both engines: the reads of operators, which find users and topics, and statistics over time.

import { describe, expect, test } from 'vitest'
import { type Campaign, type CampaignFilter, LIVE_BYTES } from '../../domain/campaign.ts'
import type { CampaignDay } from '../../domain/delivery/funnel.ts'
import type { SearchField } from '../../domain/user.ts'
import { type Given, givenStore, HOUR, type OpenStores, START, trackPlan, write } from './given.ts'

const DAY = 24 * HOUR

export function readsSuite(open: OpenStores): void {
  describe('reads of operators', () => {
    const given = givenStore(open)
    findingTests(given)
    campaignTests(given)
    statisticsTests(given)
  })
}

function campaignTests(given: Given): void {
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

    const request = { askedBy: 'a', askedAt: 1, note: null, revision: 1, endedBy: null, endedAt: null, reason: 'x' }
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
}

function findingTests(given: Given): void {
  const idsOf = (found: { userId: string }[]) => found.map(({ userId }) => userId)

  async function create(environmentId: number, userId: string, email?: string, name?: string): Promise<void> {
    const profile = { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }) }
    await given.stores.users.upsert(environmentId, userId, profile, given.now())
  }

  test('users are listed newest first, and only those of the environment', async () => {
    const { users } = given.stores
    const [environmentId, other] = [given.environmentId(), given.environmentId()]
    for (const userId of ['b', 'c', 'a']) await create(environmentId, userId)
    await create(other, 'theirs')
    const first = await users.listNewest(environmentId, null, 2)
    expect(idsOf(first)).toEqual(['a', 'c'])
    expect(idsOf(await users.listNewest(environmentId, first[1]?.userNo ?? 0, 2))).toEqual(['b'])
    const number = first[0]?.userNo ?? 0
    expect(await users.findByNumber(environmentId, number)).toMatchObject({ userId: 'a' })
    expect(await users.findByNumber(other, number)).toBeUndefined()
  })

  test('users are found by the beginning of each field, once each, page by page', async () => {
    const { users } = given.stores
    const [environmentId, other] = [given.environmentId(), given.environmentId()]
    await create(environmentId, 'ann-2', 'zoe@example.com', 'Ann')
    await create(environmentId, 'ann-1')
    await create(environmentId, 'u-3', 'Ann@example.com', 'Anna')
    await create(environmentId, 'u-4', 'annabel@example.com')
    await create(environmentId, 'u-5', 'x@example.com', 'Annika')
    await create(environmentId, 'u-6', undefined, 'ANN LEE')
    await create(environmentId, 'Ann-7', 'bea@example.com', 'Bea')
    await create(other, 'ann-9', 'ann@example.com', 'Ann')
    const search = (field: SearchField, beginning: string) =>
      users.search({ environmentId, field, beginning }, null, 10)
    expect(idsOf(await search('userId', 'ann'))).toEqual(['ann-1', 'ann-2'])
    expect(idsOf(await search('email', 'ann'))).toEqual(['u-3', 'u-4'])
    expect(idsOf(await search('email', 'ANN@'))).toEqual(['u-3'])
    // `u-3` was found by its address, `ann-2` by its id.
    expect(idsOf(await search('name', 'ann'))).toEqual(['u-6', 'u-5'])
    expect(idsOf(await search('userId', 'ann-1x'))).toEqual([])
    const [first] = await users.search({ environmentId, field: 'email', beginning: 'ann' }, null, 1)
    const rest = await users.search({ environmentId, field: 'email', beginning: 'ann' }, first ?? null, 10)
    expect(idsOf(rest)).toEqual(['u-4'])
  })

  test('equal values of a field do not hide a user behind the end of a page', async () => {
    const environmentId = given.environmentId()
    for (let n = 0; n < 5; n++) await create(environmentId, `u-${n}`, undefined, 'Same')
    const found: string[] = []
    let after: Awaited<ReturnType<typeof given.stores.users.search>>[number] | null = null
    for (let pages = 0; pages < 3; pages++) {
      const page = await given.stores.users.search({ environmentId, field: 'name', beginning: 'sa' }, after, 2)
      found.push(...idsOf(page))
      after = page.at(-1) ?? after
    }
    expect(found).toEqual(['u-0', 'u-1', 'u-2', 'u-3', 'u-4'])
  })

  test('letters outside of A to Z, a percent sign and quotes are texts like others', async () => {
    const environmentId = given.environmentId()
    for (const userId of ['%a', "'b", 'Éva', 'éva', 'zoë', '日本'])
      await create(environmentId, userId, undefined, userId)
    const search = async (field: SearchField, beginning: string) =>
      idsOf(await given.stores.users.search({ environmentId, field, beginning }, null, 10))
    expect(await search('userId', '%')).toEqual(['%a'])
    expect(await search('userId', "'")).toEqual(["'b"])
    expect(await search('userId', 'É')).toEqual(['Éva'])
    expect(await search('userId', '日')).toEqual(['日本'])
    expect(await search('userId', 'zo')).toEqual(['zoë'])
    expect(await search('name', '日')).toEqual([])
  })

  test('topics are listed newest first, or by the beginning of their key, with their subscribers', async () => {
    const { topics } = given.stores
    const [environmentId, other] = [given.environmentId(), given.environmentId()]
    await topics.change(environmentId, 'news-b', ['u1', 'u2'], [], given.now())
    await topics.change(environmentId, 'news-a', ['u1'], [], given.now())
    await topics.change(environmentId, 'offers', [], [], given.now())
    await topics.change(other, 'news-c', ['u1'], [], given.now())
    const newest = await topics.listNewest(environmentId, null, 2)
    expect(newest.map(({ key, subscribers }) => [key, subscribers])).toEqual([
      ['offers', 0],
      ['news-a', 1],
    ])
    expect((await topics.listNewest(environmentId, newest[1]?.topicNo ?? 0, 5)).map(({ key }) => key)).toEqual([
      'news-b',
    ])
    const found = await topics.search(environmentId, 'news', null, 1)
    expect(found).toMatchObject([{ key: 'news-a' }])
    expect(await topics.search(environmentId, 'news', found[0] ?? null, 5)).toMatchObject([
      { key: 'news-b', subscribers: 2 },
    ])
    const user = await given.stores.users.find(environmentId, 'u1')
    expect(await topics.listOfUser(user?.userNo ?? 0)).toEqual(['news-a', 'news-b'])
    expect(await topics.findByNumber(other, found[0]?.topicNo ?? 0)).toBeUndefined()
  })
}

function campaignOf(id: number, environmentId: number): Campaign {
  const names = { key: `c-${id}`, name: 'C', category: null }
  const draft = { ...names, notificationConfigId: null, maxLateness: 'PT24H', trigger: { event: 'e' }, steps: [] }
  const state = { status: 'active', currentVersion: null, drains: false, resumedAt: null } as const
  return { id, environmentId, ...names, ...state, draft, createdAt: START, updatedAt: START }
}

function statisticsTests(given: Given): void {
  test('the series of a campaign has the counts of its hours and days, and sums to its slices', async () => {
    const environmentId = given.environmentId()
    const campaignId = given.id()
    const { funnels } = given.stores
    // From now on in steps: the same hour twice, the next hour, and two days later.
    const begun = given.now()
    for (const ms of [0, 0, HOUR, 2 * DAY - HOUR]) {
      given.advance(ms)
      await write(given, trackPlan(given, { environmentId, userIds: ['u1'], campaignId }))
    }
    const point = (at: number, delivery: number) => ({ at, delivery, read: 0, opened: 0, clicked: 0 })
    const hour = Math.floor(begun / HOUR) * HOUR
    expect(await funnels.series(environmentId, campaignId, 'inbox', begun, 'hour')).toEqual([
      point(hour, 2),
      point(hour + HOUR, 1),
      point(hour + 2 * DAY, 1),
    ])
    expect(await funnels.series(environmentId, campaignId, 'inbox', begun + HOUR, 'hour')).toHaveLength(2)
    const day = Math.floor(begun / DAY) * DAY
    expect(await funnels.series(environmentId, campaignId, 'inbox', null, 'day')).toEqual([
      point(day, 3),
      point(day + 2 * DAY, 1),
    ])
    // Of the first day, only the hours of the window.
    expect(await funnels.series(environmentId, campaignId, 'inbox', begun + HOUR, 'day')).toEqual([
      point(day, 1),
      point(day + 2 * DAY, 1),
    ])
    expect(await funnels.series(environmentId, campaignId, 'email', null, 'day')).toEqual([])
  })

  test('an environment sums its campaigns, and no others', async () => {
    const [environmentId, other] = [given.environmentId(), given.environmentId()]
    const { campaigns, funnels } = given.stores
    const [one, two, theirs] = [given.id(), given.id(), given.id()]
    for (const [id, of] of [
      [one, environmentId],
      [two, environmentId],
      [theirs, other],
    ] as const) {
      await campaigns.insertOnce(campaignOf(id, of))
      await write(given, trackPlan(given, { environmentId: of, userIds: ['u1', 'u2'], campaignId: id }))
    }
    expect(await funnels.totals(environmentId, 'inbox', null)).toEqual({ delivery: 4, read: 0, opened: 0, clicked: 0 })
    expect(await funnels.totals(environmentId, 'inbox', given.now() - DAY)).toMatchObject({ delivery: 4 })
    expect(await funnels.totals(environmentId, 'inbox', given.now() + 2 * DAY)).toMatchObject({ delivery: 0 })
    expect(await funnels.totals(given.environmentId(), 'inbox', null)).toMatchObject({ delivery: 0 })
    const day = Math.floor(given.now() / DAY) * DAY
    const hour = Math.floor(given.now() / HOUR) * HOUR
    const point = { delivery: 4, read: 0, opened: 0, clicked: 0 }
    expect(await funnels.series(environmentId, null, 'inbox', null, 'day')).toEqual([{ at: day, ...point }])
    expect(await funnels.series(environmentId, null, 'inbox', given.now(), 'hour')).toEqual([{ at: hour, ...point }])
    expect(await funnels.series(environmentId, null, 'email', null, 'day')).toEqual([])
    const byId = (days: CampaignDay[]) => days.toSorted((left, right) => left.campaignId - right.campaignId)
    expect(byId(await funnels.days(environmentId, 'inbox', day))).toEqual([
      { campaignId: one, at: day, delivery: 2 },
      { campaignId: two, at: day, delivery: 2 },
    ])
    expect(await funnels.days(environmentId, 'inbox', day + DAY)).toEqual([])
    expect(await funnels.days(environmentId, 'email', day)).toEqual([])
  })

  test('messages that were not sent are counted by reason, without tests', async () => {
    const environmentId = given.environmentId()
    const { funnels } = given.stores
    const campaignId = given.id()
    const add = (message: object, isTest = false) =>
      write(given, trackPlan(given, { environmentId, userIds: ['u1'], message, isTest, campaignId }))
    await add({ status: 'skipped', statusReason: 'preference' })
    await add({ status: 'skipped', statusReason: 'preference' })
    await add({ status: 'skipped', statusReason: 'throttled' })
    await add({ status: 'failed', statusReason: 'render-error' })
    await add({ status: 'failed', statusReason: 'render-error' }, true)
    await add({ status: 'skipped', statusReason: 'no-address', channel: 'email' })
    await add({ status: 'delivered' })
    expect(await funnels.outcomes(environmentId, 'inbox', null)).toEqual({
      skipped: { preference: 2, throttled: 1 },
      failed: { 'render-error': 1 },
    })
    expect(await funnels.outcomes(environmentId, 'email', null)).toEqual({ skipped: { 'no-address': 1 }, failed: {} })
    expect(await funnels.outcomes(environmentId, 'email', null, campaignId)).toEqual({
      skipped: { 'no-address': 1 },
      failed: {},
    })
    expect(await funnels.outcomes(environmentId, 'email', null, given.id())).toEqual({ skipped: {}, failed: {} })
    // The ids of these tests are small: they lie before every instant.
    expect(await funnels.outcomes(environmentId, 'inbox', START)).toEqual({ skipped: {}, failed: {} })
  })
}
