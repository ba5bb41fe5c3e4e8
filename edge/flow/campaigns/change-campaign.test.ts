// Tests the life of campaigns: statuses, versions, drafts, and that events see every change at once.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatId } from '../../lib/id.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(async () => flow.close())

const ENVIRONMENT = 7
const definition = messageCampaign('a', 'e')

describe('a campaign', () => {
  test('is created as a draft', async () => {
    expect(await flow.change.create(ENVIRONMENT, definition)).toEqual({
      id: expect.stringMatching(/^cmp_/),
      key: 'a',
      name: 'Campaign a',
      category: null,
      status: 'draft',
      currentVersion: null,
      draft: { ...definition, category: null, notificationConfigId: null, maxLateness: 'PT24H' },
      revision: 0,
      createdAt: '2026-05-01T12:00:00.000Z',
      updatedAt: '2026-05-01T12:00:00.000Z',
      warnings: [],
    })
  })

  test('has a unique key', async () => {
    await flow.change.create(ENVIRONMENT, definition)
    await expect(flow.change.create(ENVIRONMENT, definition)).rejects.toMatchObject({ code: 'campaign/key-taken' })
  })

  test('with a fault is refused and not kept', async () => {
    await expect(flow.change.create(ENVIRONMENT, { ...definition, steps: [] })).rejects.toMatchObject({
      code: 'campaign/invalid-definition',
    })
    expect((await flow.change.list(ENVIRONMENT, { limit: 10 })).data).toEqual([])
  })

  test.each(['nonsense', 'cmp_00000000000', formatId('run', 5), ''])('%j is not found', async (id) => {
    await expect(flow.change.get(ENVIRONMENT, id)).rejects.toMatchObject({ code: 'campaign/not-found' })
    await expect(flow.change.publish(ENVIRONMENT, id)).rejects.toMatchObject({ code: 'campaign/not-found' })
  })

  test('of another environment is not found', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition)
    await expect(flow.change.get(8, id)).rejects.toMatchObject({ code: 'campaign/not-found' })
  })

  test('is listed newest first, page by page', async () => {
    for (const key of ['a', 'b', 'c']) {
      await flow.change.create(ENVIRONMENT, messageCampaign(key, 'e'))
    }
    const first = await flow.change.list(ENVIRONMENT, { limit: 2 })
    expect(first.data.map((one) => one.key)).toEqual(['c', 'b'])
    const second = await flow.change.list(ENVIRONMENT, { limit: 2, cursor: first.nextCursor ?? '' })
    expect([second.data.map((one) => one.key), second.nextCursor]).toEqual([['a'], null])
  })
})

describe('statuses', () => {
  test.each([
    ['publish', ['publish'], 'active'],
    ['publish again', ['publish', 'publish'], 'active'],
    ['pause', ['publish', 'pause'], 'paused'],
    ['publish while paused', ['publish', 'pause', 'publish'], 'paused'],
    ['resume', ['publish', 'pause', 'resume'], 'active'],
    ['archive a draft', ['archive'], 'archived'],
    ['archive', ['publish', 'archive'], 'archived'],
    ['archive a paused one', ['publish', 'pause', 'archive'], 'archived'],
  ] as const)('%s', async (_name, actions, status) => {
    const { id } = await flow.change.create(ENVIRONMENT, definition)
    for (const action of actions) await flow.change[action](ENVIRONMENT, id)
    expect((await flow.change.get(ENVIRONMENT, id)).status).toBe(status)
  })

  test.each([
    [[], 'pause', 'draft', 'paused'],
    [[], 'resume', 'draft', 'active'],
    [['publish'], 'resume', 'active', 'active'],
    [['publish', 'pause'], 'pause', 'paused', 'paused'],
    [['archive'], 'publish', 'archived', 'active'],
    [['archive'], 'pause', 'archived', 'paused'],
    [['archive'], 'resume', 'archived', 'active'],
    [['archive'], 'archive', 'archived', 'archived'],
  ] as const)('after %j %s is refused', async (actions, refused, from, to) => {
    const { id } = await flow.change.create(ENVIRONMENT, definition)
    for (const action of actions) await flow.change[action](ENVIRONMENT, id)
    await expect(flow.change[refused](ENVIRONMENT, id)).rejects.toMatchObject({
      code: 'campaign/invalid-transition',
      extra: { from, to },
    })
  })
})

describe('versions', () => {
  const titled = (title: string) => messageCampaign('a', 'e', { steps: [{ id: 'tell', type: 'inbox', title }] })

  test('are numbered from 1 and never change; events see the newest at once', async () => {
    const id = await flow.publish(titled('one'))
    await flow.track({ name: 'e', userId: 'u' })
    await flow.change.putDraft(ENVIRONMENT, id, titled('two'))
    await flow.track({ name: 'e', userId: 'u' })
    await flow.change.publish(ENVIRONMENT, id)
    const { eventId } = await flow.track({ name: 'e', userId: 'u' })
    expect(await flow.titles('u')).toEqual(['two', 'one', 'one'])
    expect((await flow.event(eventId)).runs).toMatchObject([{ version: 2 }])
    expect((await flow.change.listVersions(ENVIRONMENT, id, { limit: 10 })).data).toMatchObject([
      { version: 2, definition: { steps: [{ title: 'two' }] } },
      { version: 1, definition: { steps: [{ title: 'one' }] } },
    ])
    expect(await flow.change.getVersion(ENVIRONMENT, id, 1)).toMatchObject({
      version: 1,
      publishedAt: '2026-05-01T12:00:00.000Z',
    })
  })

  test.each([0, 2, -1, 1.5, Number.NaN])('version %d is not found', async (version) => {
    const id = await flow.publish(definition)
    await expect(flow.change.getVersion(ENVIRONMENT, id, version)).rejects.toMatchObject({ code: 'campaign/not-found' })
  })

  test('two publishes at once make two versions', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition)
    await Promise.all([flow.change.publish(ENVIRONMENT, id), flow.change.publish(ENVIRONMENT, id)])
    expect((await flow.change.get(ENVIRONMENT, id)).currentVersion).toBe(2)
  })
})

describe('the draft', () => {
  test('is replaced whatever the status, and keeps the key', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition)
    await flow.change.archive(ENVIRONMENT, id)
    const { key: _, ...withoutKey } = { ...definition, name: 'New name', category: 'news' }
    expect(await flow.change.putDraft(ENVIRONMENT, id, withoutKey)).toMatchObject({
      key: 'a',
      name: 'New name',
      category: 'news',
      status: 'archived',
      draft: { key: 'a', name: 'New name' },
    })
  })

  test('with another key or a fault is refused, and the former one stays', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition)
    for (const bad of [{ ...definition, key: 'b' }, { ...definition, steps: [] }, null, 'x', []]) {
      await expect(flow.change.putDraft(ENVIRONMENT, id, bad)).rejects.toMatchObject({
        code: 'campaign/invalid-definition',
      })
    }
    expect((await flow.change.get(ENVIRONMENT, id)).draft).toMatchObject(definition)
  })
})

describe('the funnel', () => {
  test('has no branches when no version declares any', async () => {
    const id = await flow.publish(definition)
    await flow.track({ name: 'e', userId: 'u' })
    expect(await flow.readFunnel(ENVIRONMENT, id, { window: '24h', channel: 'inbox' })).toEqual({
      window: '24h',
      channel: 'inbox',
      steps: [
        { step: 'delivery', count: 1, percentOfPrevious: null },
        { step: 'read', count: 0, percentOfPrevious: 0 },
        { step: 'opened', count: 0, percentOfPrevious: null },
        { step: 'clicked', count: 0, percentOfPrevious: null },
      ],
    })
    expect((await flow.readFunnel(ENVIRONMENT, id, { window: 'all', channel: 'email' })).steps[0]?.count).toBe(0)
  })

  test('slices by branch as soon as one version declares them, and later too', async () => {
    const id = await flow.publish(definition)
    await flow.track({ name: 'e', userId: 'u' })
    await flow.readFunnel(ENVIRONMENT, id, { window: 'all', channel: 'inbox' })
    const branches = [{ key: 'b', else: true, steps: [{ id: 'in', type: 'inbox', title: 'x' }] }]
    await flow.change.putDraft(ENVIRONMENT, id, { ...definition, steps: [{ id: 's', type: 'branch', branches }] })
    await flow.change.publish(ENVIRONMENT, id)
    await flow.track({ name: 'e', userId: 'u' })
    await flow.change.putDraft(ENVIRONMENT, id, definition)
    await flow.change.publish(ENVIRONMENT, id)
    const answer = await flow.readFunnel(ENVIRONMENT, id, { window: 'all', channel: 'inbox' })
    expect(answer.steps[0]?.count).toBe(2)
    expect(answer.branches?.map(({ version, branch }) => [version, branch])).toEqual([
      [1, null],
      [2, 'b'],
    ])
  })

  test('counts a window by delivery', async () => {
    const id = await flow.publish(definition)
    await flow.track({ name: 'e', userId: 'u' })
    flow.clock.at += 25 * 60 * 60 * 1000
    await flow.track({ name: 'e', userId: 'u' })
    const count = async (window: '24h' | '7d' | 'all') =>
      (await flow.readFunnel(ENVIRONMENT, id, { window, channel: 'inbox' })).steps[0]?.count
    expect([await count('24h'), await count('7d'), await count('all')]).toEqual([1, 2, 2])
  })

  test('of an unknown campaign is not found', async () => {
    await expect(flow.readFunnel(ENVIRONMENT, 'cmp_x', { window: 'all', channel: 'inbox' })).rejects.toMatchObject({
      code: 'campaign/not-found',
    })
  })
})

describe('the audit log', () => {
  const by = { actor: 'api', who: 'sec_1', correlationId: 'c-7' } as const
  const entries = async () => (await flow.stores.audit.list(ENVIRONMENT, 100)).reverse()

  test('has every change with its author, request and result', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition, by)
    await flow.change.putDraft(ENVIRONMENT, id, { ...definition, name: 'Renamed' }, by)
    for (const action of ['publish', 'pause', 'resume', 'archive'] as const) {
      await flow.change[action](ENVIRONMENT, id, by)
    }
    const common = { at: flow.clock.at, ...by, environmentId: ENVIRONMENT, subject: 'a' }
    expect(await entries()).toMatchObject([
      { ...common, action: 'campaign.create', detail: { campaignId: id, status: 'draft' } },
      { ...common, action: 'campaign.change', detail: { difference: '~ name: "Campaign a" → "Renamed"' } },
      {
        ...common,
        action: 'campaign.publish',
        detail: { from: 'draft', status: 'active', fromVersion: null, version: 1 },
      },
      { ...common, action: 'campaign.pause', detail: { from: 'active', status: 'paused', version: 1 } },
      { ...common, action: 'campaign.resume', detail: { from: 'paused', status: 'active' } },
      { ...common, action: 'campaign.archive', detail: { from: 'active', status: 'archived' } },
    ])
  })

  test('has no entry for a refused change', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition, by)
    await Promise.allSettled([
      flow.change.create(ENVIRONMENT, definition, by),
      flow.change.create(ENVIRONMENT, { ...definition, steps: [] }, by),
      flow.change.resume(ENVIRONMENT, id, by),
      flow.change.putDraft(8, id, definition, by),
    ])
    expect((await entries()).map(({ action }) => action)).toEqual(['campaign.create'])
  })

  test('keeps a long difference short', async () => {
    const { id } = await flow.change.create(ENVIRONMENT, definition, by)
    const steps = [{ id: 'tell', type: 'inbox', title: 'x', body: 'y'.repeat(20_000) }]
    await flow.change.putDraft(ENVIRONMENT, id, { ...definition, steps }, by)
    expect(String((await entries())[1]?.detail.difference).length).toBe(4001)
  })
})
