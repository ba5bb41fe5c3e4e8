// Tests of both engines: the reads of operators, which find users and topics, and statistics over time.

import { describe, expect, test } from 'vitest'
import type { CampaignDay } from '../../domain/delivery/funnel.ts'
import type { SearchField, User } from '../../domain/user.ts'
import { campaignOf } from './campaigns.suite.ts'
import { type Given, givenStore, HOUR, type OpenStores, START, trackPlan, write } from './given.ts'

const DAY = 24 * HOUR

export function readsSuite(open: OpenStores): void {
  describe('reads of operators', () => {
    const given = givenStore(open)
    findingTests(given)
    statisticsTests(given)
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
    const { users: first, hasMore } = await users.listNewest(environmentId, null, 2)
    expect([idsOf(first), hasMore]).toEqual([['a', 'c'], true])
    const rest = await users.listNewest(environmentId, first[1]?.userNo ?? 0, 2)
    expect([idsOf(rest.users), rest.hasMore]).toEqual([['b'], false])
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
    const search = async (field: SearchField, beginning: string) =>
      (await users.search({ environmentId, field, beginning }, null, 10)).users
    expect(idsOf(await search('userId', 'ann'))).toEqual(['ann-1', 'ann-2'])
    expect(idsOf(await search('email', 'ann'))).toEqual(['u-3', 'u-4'])
    expect(idsOf(await search('email', 'ANN@'))).toEqual(['u-3'])
    // `u-3` was found by its address, `ann-2` by its id.
    expect(idsOf(await search('name', 'ann'))).toEqual(['u-6', 'u-5'])
    expect(idsOf(await search('userId', 'ann-1x'))).toEqual([])
    const {
      users: [first],
    } = await users.search({ environmentId, field: 'email', beginning: 'ann' }, null, 1)
    const rest = await users.search({ environmentId, field: 'email', beginning: 'ann' }, first ?? null, 10)
    expect([idsOf(rest.users), rest.hasMore]).toEqual([['u-4'], false])
  })

  test('equal values of a field do not hide a user behind the end of a page', async () => {
    const environmentId = given.environmentId()
    for (let n = 0; n < 5; n++) await create(environmentId, `u-${n}`, undefined, 'Same')
    const found: string[] = []
    let after: User | null = null
    for (let pages = 0; pages < 3; pages++) {
      const { users } = await given.stores.users.search({ environmentId, field: 'name', beginning: 'sa' }, after, 2)
      found.push(...idsOf(users))
      after = users.at(-1) ?? after
    }
    expect(found).toEqual(['u-0', 'u-1', 'u-2', 'u-3', 'u-4'])
  })

  test('a page begins anew when the last user of the page before has another value meanwhile', async () => {
    const environmentId = given.environmentId()
    for (const name of ['aa', 'ba', 'bb', 'bc', 'ca']) await create(environmentId, `u-${name}`, undefined, name)
    const search = async (after: User | null) =>
      (await given.stores.users.search({ environmentId, field: 'name', beginning: 'b' }, after, 2)).users
    const last = (await search(null)).at(-1) ?? null
    expect(last?.userId).toBe('u-bb')
    for (const name of [null, 'aaa', 'zzz']) {
      await given.stores.users.upsert(environmentId, 'u-bb', { name }, given.now())
      expect(idsOf(await search(last && { ...last, name }))).toEqual(['u-ba', 'u-bc'])
    }
  })

  test('letters outside of A to Z, a percent sign and quotes are texts like others', async () => {
    const environmentId = given.environmentId()
    for (const userId of ['%a', "'b", 'Éva', 'éva', 'zoë', '日本'])
      await create(environmentId, userId, undefined, userId)
    const search = async (field: SearchField, beginning: string) =>
      idsOf((await given.stores.users.search({ environmentId, field, beginning }, null, 10)).users)
    expect(await search('userId', '%')).toEqual(['%a'])
    expect(await search('userId', "'")).toEqual(["'b"])
    expect(await search('userId', 'É')).toEqual(['Éva'])
    expect(await search('userId', '日')).toEqual(['日本'])
    expect(await search('userId', 'zo')).toEqual(['zoë'])
    expect(await search('name', '日')).toEqual([])
  })

  test('names and addresses are found whatever their case and accents', async () => {
    const [addressed, named] = [given.environmentId(), given.environmentId()]
    const names = { u1: 'Ömer', u2: 'ÖMER'.normalize('NFD'), u3: 'omer', u4: 'Ёлка', u5: 'Άννα', u6: 'İnci', u7: '김' }
    for (const [userId, name] of Object.entries(names)) {
      await create(addressed, userId, `${name}@example.com`, name)
      await create(named, userId, undefined, name)
    }
    const search = async (environmentId: number, field: SearchField, beginning: string) =>
      idsOf((await given.stores.users.search({ environmentId, field, beginning }, null, 10)).users)
    for (const beginning of ['öm', 'ÖM', 'om']) {
      expect(await search(addressed, 'email', beginning)).toEqual(['u1', 'u2', 'u3'])
      // Their addresses were found before.
      expect(await search(addressed, 'name', beginning)).toEqual([])
      expect(await search(named, 'name', beginning)).toEqual(['u1', 'u2', 'u3'])
    }
    expect(await search(named, 'name', 'ЁЛ')).toEqual(['u4'])
    expect(await search(named, 'name', 'ανν')).toEqual(['u5'])
    expect(await search(named, 'name', 'inci')).toEqual(['u6'])
    expect(await search(named, 'name', '김')).toEqual(['u7'])
    const others = given.environmentId()
    const pairs = {
      Straße: 'STRASS',
      Işık: 'isik',
      Łukasz: 'luk',
      Đặng: 'dang',
      Søren: 'soren',
      Κώστας: 'ΚΩΣ',
      Œuf: 'oe',
    }
    for (const [name, typed] of Object.entries({ ...pairs, STRAẞBURG: 'strassb' })) {
      await create(others, `u-${name}`, undefined, name)
      expect(await search(others, 'name', typed), typed).toContain(`u-${name}`)
      expect(await search(others, 'name', name), name).toEqual([`u-${name}`])
    }
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
