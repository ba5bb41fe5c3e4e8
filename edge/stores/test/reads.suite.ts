// Tests of both engines: the reads of operators, which find users and topics, the audit log, and statistics over time.

import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Campaign } from '../../domain/campaign.ts'
import type { SearchField } from '../../domain/user.ts'
import { type Given, givenStore, HOUR, type OpenStores, START, trackPlan, write } from './given.ts'

const BY = { actor: 'dashboard', who: 'ada@example.com', correlationId: 'c-1' } as const
const DAY = 24 * HOUR

export function readsSuite(open: OpenStores): void {
  describe('reads of operators', () => {
    const given = givenStore(open)
    findingTests(given)
    auditTests(given)
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

function auditTests(given: Given): void {
  const entriesOf = async (environmentId: number) => (await given.stores.audit.list(environmentId, 20)).reverse()

  async function createTenant(): Promise<{ organisationId: number; environmentId: number }> {
    const [organisationId, environmentId] = [given.id(), given.environmentId()]
    const organisation = { name: 'Acme', region: null, onboardedAt: null, retentionDays: 90, createdAt: 1 }
    await given.stores.organisations.create({ ...organisation, id: organisationId })
    const settings = { name: 'dev', isProduction: false, allowedOrigins: [], requireExpiringTokens: false }
    const none = { identityProvider: null, publicKey: null, disabledAt: null, notificationConfigId: null }
    const environment = { ...settings, ...none, sdkKeyMayManage: true, id: environmentId, organisationId, createdAt: 5 }
    const audit = { at: 5, ...BY, action: 'env.create', environmentId, subject: 'dev', detail: {} }
    await given.stores.environments.create(environment, [], audit)
    return { organisationId, environmentId }
  }

  test('the first environment completes the onboarding, with an entry; a later one does not', async () => {
    const { organisationId, environmentId } = await createTenant()
    const { organisations, environments, audit } = given.stores
    expect(await organisations.find(organisationId)).toMatchObject({ onboardedAt: 5 })
    const first = await environments.find(environmentId)
    if (first === undefined) throw new Error('The environment is stored.')
    const { revision: _, ...again } = first
    await environments.create({ ...again, id: given.environmentId(), createdAt: 9 }, [])
    expect(await organisations.find(organisationId)).toMatchObject({ onboardedAt: 5 })
    const actions = (await audit.page({ organisationId }, null, 10)).map(({ action }) => action)
    expect(actions).toEqual(['org.complete-onboarding', 'env.create'])
  })

  test('the log of an organisation has pages, filters, and the entries of its environments', async () => {
    const { organisationId, environmentId } = await createTenant()
    const { audit } = given.stores
    const entry: AuditEntry = { at: 6, ...BY, action: 'secret.rotate', environmentId, subject: 'x', detail: { n: 1 } }
    await audit.record(entry)
    await audit.record({ ...entry, action: 'secret.retire', actor: 'cli', who: 'root' })
    await audit.record({ ...entry, environmentId: given.environmentId() })
    const page = await audit.page({ organisationId }, null, 2)
    expect(page).toMatchObject([
      { action: 'secret.retire', actor: 'cli', organisationId },
      { action: 'secret.rotate', who: 'ada@example.com', correlationId: 'c-1', detail: { n: 1 }, organisationId },
    ])
    const rest = await audit.page({ organisationId }, page[1]?.number ?? 0, 10)
    expect(rest.map(({ action }) => action)).toEqual(['org.complete-onboarding', 'env.create'])
    const actionsBy = async (filter: object) =>
      (await audit.page({ organisationId, ...filter }, null, 10)).map(({ action }) => action)
    expect(await actionsBy({ action: 'secret' })).toEqual(['secret.retire', 'secret.rotate'])
    expect(await actionsBy({ action: 'secret', actor: 'cli' })).toEqual(['secret.retire'])
    expect(await actionsBy({ environmentId, who: 'root' })).toEqual(['secret.retire'])
    expect(await audit.page({ organisationId: given.id() }, null, 10)).toEqual([])
  })

  test('an organisation is created with its owner, or not at all', async () => {
    const { organisations, people } = given.stores
    const account = { id: given.id(), email: 'founder@example.com', name: 'F', passwordHash: 'h', createdAt: 1 }
    await people.addMember(given.id(), account, 'viewer')
    const id = given.id()
    const organisation = { id, name: 'Acme', region: null, onboardedAt: null, retentionDays: 90, createdAt: 3 }
    const audit = {
      at: 3,
      ...BY,
      action: 'member.add',
      environmentId: null,
      organisationId: id,
      subject: 'f',
      detail: {},
    }
    await organisations.create(organisation, { ...audit, action: 'org.create' }, { personId: account.id, audit })
    expect(await people.findMember(id, account.id)).toMatchObject({ role: 'owner' })
    expect((await given.stores.audit.page({ organisationId: id }, null, 9)).map(({ action }) => action)).toEqual([
      'member.add',
      'org.create',
    ])
  })

  test('a profile of an author has an entry with what was before and after, once', async () => {
    const environmentId = given.environmentId()
    const { users } = given.stores
    const audit = { at: 7, ...BY }
    await users.upsert(environmentId, 'u1', { name: 'Ann', attributes: { plan: 'free' } }, 7, audit)
    await users.upsert(environmentId, 'u1', { name: 'Anna', attributes: { plan: 'pro' } }, 8, audit)
    await users.upsert(environmentId, 'u1', { name: 'Anna' }, 9, audit)
    await users.upsert(environmentId, 'u1', { name: 'Annabel' }, 10)
    expect(await entriesOf(environmentId)).toMatchObject([
      { at: 7, ...BY, action: 'user.create', subject: 'u1' },
      { action: 'user.change', detail: { difference: '~ name: "Ann" → "Anna"\n~ attributes.plan: "free" → "pro"' } },
    ])
    expect(await entriesOf(environmentId)).toHaveLength(2)
  })

  test('a change of a topic has the users who were added and removed, and nothing when none were', async () => {
    const environmentId = given.environmentId()
    const { topics } = given.stores
    const audit = { at: 7, ...BY }
    await topics.change(environmentId, 'news', ['u1', 'u2'], [], 7, audit)
    await topics.change(environmentId, 'news', ['u1', 'u3'], ['u2', 'nobody'], 8, audit)
    await topics.change(environmentId, 'news', ['u1'], ['nobody'], 9, audit)
    await topics.change(environmentId, 'news', ['u4'], [], 10)
    expect((await entriesOf(environmentId)).map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ['topic.change', 'news', { difference: '+ u1\n+ u2' }],
      ['topic.change', 'news', { difference: '+ u3\n- u2' }],
    ])
  })

  test('an erasure removes the user from the log, and leaves the others', async () => {
    const environmentId = given.environmentId()
    const { users, topics, audit } = given.stores
    const by = { at: 7, ...BY }
    await users.upsert(environmentId, 'gone', { name: 'Secret name' }, 7, by)
    await users.upsert(environmentId, 'stays', { name: 'Other name' }, 7, by)
    await topics.change(environmentId, 'news', ['gone', 'stays', 'gone-not'], [], 7, by)
    await topics.change(environmentId, 'gone', ['stays'], [], 7, by)
    await audit.record({ ...by, action: 'user.export', environmentId, subject: 'gone', detail: {} })
    await users.erase(environmentId, 'gone', 8)
    const entries = await entriesOf(environmentId)
    expect(JSON.stringify(entries)).not.toContain('Secret name')
    expect(entries.map(({ subject, detail }) => [subject, detail.difference])).toEqual([
      ['a user', undefined],
      ['stays', expect.stringContaining('Other name')],
      ['news', '+ a user\n+ stays\n+ gone-not'],
      ['gone', '+ stays'],
      ['a user', undefined],
    ])
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
    expect(await funnels.series(campaignId, 'inbox', begun, 'hour')).toEqual([
      point(hour, 2),
      point(hour + HOUR, 1),
      point(hour + 2 * DAY, 1),
    ])
    expect(await funnels.series(campaignId, 'inbox', begun + HOUR, 'hour')).toHaveLength(2)
    const day = Math.floor(begun / DAY) * DAY
    expect(await funnels.series(campaignId, 'inbox', null, 'day')).toEqual([point(day, 3), point(day + 2 * DAY, 1)])
    // Of the first day, only the hours of the window.
    expect(await funnels.series(campaignId, 'inbox', begun + HOUR, 'day')).toEqual([
      point(day, 1),
      point(day + 2 * DAY, 1),
    ])
    expect(await funnels.series(campaignId, 'email', null, 'day')).toEqual([])
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
  })

  test('messages that were not sent are counted by reason, without tests', async () => {
    const environmentId = given.environmentId()
    const { funnels } = given.stores
    const add = (message: object, isTest = false) =>
      write(given, trackPlan(given, { environmentId, userIds: ['u1'], message, isTest }))
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
    // The ids of these tests are small: they lie before every instant.
    expect(await funnels.outcomes(environmentId, 'inbox', START)).toEqual({ skipped: {}, failed: {} })
  })
}
