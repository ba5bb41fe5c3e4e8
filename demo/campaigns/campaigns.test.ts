// Tests that keys of the demo's definitions are unique and that they cover all documented features.
// End-to-end tests publish them at the start (shop) and in the replay (GitHub).

import { expect, test } from 'vitest'
import { DEMO_CAMPAIGNS } from '../../edge/index.ts'
import { readGithubEvents } from '../replay/payloads.ts'
import { GITHUB_CAMPAIGNS } from './github/index.ts'

const ALL = [...DEMO_CAMPAIGNS, ...GITHUB_CAMPAIGNS]

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
