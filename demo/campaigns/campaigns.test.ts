// The demo's definitions are data: their keys are unique and they cover what was promised. That the edge takes each one is
// proved where they are published: by the start (shop) and the replay (GitHub), in the end-to-end tests.

import { expect, test } from 'vitest'
import { readGithubEvents } from '../replay/payloads.ts'
import { GITHUB_CAMPAIGNS } from './github/index.ts'
import { SHOP_CAMPAIGNS } from './shop.ts'

const ALL = [...SHOP_CAMPAIGNS, ...GITHUB_CAMPAIGNS]

test('every definition has a key of its own', () => {
  expect(new Set(ALL.map((campaign) => campaign.key)).size).toBe(ALL.length)
})

test('every GitHub campaign waits for an event that the payloads have, in at least 30 types', () => {
  const events = readGithubEvents()
  const typeOf = new Map(events.map(({ name, type }) => [name, type]))
  const types = GITHUB_CAMPAIGNS.map((campaign) => typeOf.get(campaign.trigger.event))
  expect(types).not.toContain(undefined)
  expect(new Set(types).size).toBeGreaterThanOrEqual(30)
})

test('each payload has a place of its own, so that a repeated run names it alike', () => {
  const places = readGithubEvents().map((event) => event.place)
  expect(new Set(places).size).toBe(places.length)
})
