// Tests the cache of live campaigns: one load for concurrent callers, dropped on change, never stale for more than 30 s.

import { expect, test } from 'vitest'
import { parseDefinition } from '../../campaign/definition.ts'
import type { BusTopics } from '../../domain/bus.ts'
import type { LiveCampaign } from '../../domain/campaign.ts'
import { usedBytes } from '../../test/support/used-memory.ts'
import { createLiveCampaigns } from './live-campaigns.ts'

function live(version: number, status: 'active' | 'paused' = 'active'): LiveCampaign {
  const definition = parseDefinition({
    key: 'a',
    trigger: { event: 'e' },
    steps: [{ id: 's', type: 'inbox', title: `v${version}` }],
  })
  const record = {
    id: 1,
    environmentId: 7,
    key: 'a',
    name: 'a',
    category: null,
    status,
    currentVersion: version,
    drains: false,
    resumedAt: null,
  }
  return { campaign: { ...record, createdAt: 0, updatedAt: 0 }, version, definition }
}

/** An environment without configs, preferences and suppressions. */
const EMPTY_STORE = {
  configs: { findMany: async () => [], find: async () => undefined },
  environments: { find: async () => undefined },
  organisations: { findSettings: async () => undefined },
  sendRules: { isUsed: async () => false },
  arrivals: { listNames: async () => [] },
}

function given() {
  const clock = { at: 0, now: () => clock.at }
  const loads: ((live: LiveCampaign[]) => void)[] = []
  let change: (payload: BusTopics['campaigns-changed']) => void = () => {}
  const campaigns = createLiveCampaigns({
    clock,
    campaigns: { listLive: () => new Promise((resolve) => loads.push(resolve)) },
    ...EMPTY_STORE,
    bus: {
      subscribe(topic, listener) {
        if (topic === 'campaigns-changed') change = listener as typeof change
        return () => {}
      },
    },
  })
  return { clock, loads, campaigns, change: () => change({ environmentId: 7 }) }
}

test('concurrent callers share one load', async () => {
  const { campaigns, loads } = given()
  const both = [campaigns.load(7), campaigns.load(7)]
  await Promise.resolve()
  loads[0]?.([live(1)])
  const [one, other] = await Promise.all(both)
  expect(one).toBe(other)
  expect(loads).toHaveLength(1)
  expect(campaigns.find(7)).toBe(one)
})

test('a change drops the set; one that comes during a load is not lost', async () => {
  const { campaigns, loads, change } = given()
  const early = campaigns.load(7)
  await Promise.resolve()
  change()
  const late = campaigns.load(7)
  await Promise.resolve()
  loads[1]?.([live(2)])
  expect((await late).byId.get(1)?.version).toBe(2)
  loads[0]?.([live(1)])
  await early
  expect(campaigns.find(7)?.byId.get(1)?.version).toBe(2)
  change()
  expect(campaigns.find(7)).toBeUndefined()
})

test('a set is loaded again after 30 s, and unchanged campaigns are not compiled again', async () => {
  const { campaigns, loads, clock } = given()
  const first = campaigns.load(7)
  await Promise.resolve()
  loads[0]?.([live(1)])
  const before = (await first).byId.get(1)?.compiled
  clock.at = 29_999
  expect(campaigns.find(7)).toBeDefined()
  clock.at = 30_000
  expect(campaigns.find(7)).toBeUndefined()
  const second = campaigns.load(7)
  await Promise.resolve()
  loads[1]?.([live(1)])
  const after = (await second).byId.get(1)?.compiled
  expect(after?.steps).toBe(before?.steps)
})

test('a change of one campaign compiles no other one again', async () => {
  const { campaigns, loads, change } = given()
  const first = campaigns.load(7)
  await Promise.resolve()
  loads[0]?.([live(1)])
  const before = (await first).byId.get(1)?.compiled
  change()
  const second = campaigns.load(7)
  await Promise.resolve()
  loads[1]?.([live(1)])
  expect((await second).byId.get(1)?.compiled?.steps).toBe(before?.steps)
})

test('a load that fails is repeated by the next call', async () => {
  let fails = true
  const campaigns = createLiveCampaigns({
    clock: { now: () => 0 },
    ...EMPTY_STORE,
    campaigns: { listLive: async () => (fails ? Promise.reject(new Error('store is down')) : []) },
    bus: { subscribe: () => () => {} },
  })
  await expect(campaigns.load(7)).rejects.toThrow('store is down')
  fails = false
  expect((await campaigns.load(7)).byId.size).toBe(0)
})

test('a paused campaign is present and not compiled; a broken one has its fault', async () => {
  const { campaigns, loads } = given()
  const set = campaigns.load(7)
  await Promise.resolve()
  const broken = live(1)
  broken.definition.steps = [{ id: 's', type: 'nope' }]
  broken.campaign.id = 2
  loads[0]?.([live(1, 'paused'), broken])
  expect((await set).byEvent.get('e')).toMatchObject([
    { compiled: null, fault: null },
    { compiled: null, fault: 'stored step has an unknown type: nope' },
  ])
})

test('a set that was replaced is kept no more', async () => {
  const { campaigns, loads, change } = given()
  const former: WeakRef<object>[] = []
  for (const [place, version] of [1, 2, 3].entries()) {
    const loading = campaigns.load(7)
    await Promise.resolve()
    loads[place]?.([live(version)])
    former.push(new WeakRef(await loading))
    change()
  }
  loads.length = 0
  await expect
    .poll(() => {
      usedBytes()
      return former.filter((one) => one.deref() !== undefined).length
    })
    .toBe(1)
})
