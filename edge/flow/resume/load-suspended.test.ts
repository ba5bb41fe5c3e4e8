// Tests that the waits of a turn hold no more large profiles and versions together, however many environments they are of.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { SEND_ALL } from '../../campaign/send-policy.ts'
import { LARGE_TOGETHER_BYTES } from '../../domain/user.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'
import { createLiveCampaigns } from '../track/live-campaigns.ts'
import { loadSuspended } from './load-suspended.ts'
import { createPinnedVersions } from './pinned-versions.ts'

const ENVIRONMENTS = [11, 12, 13]
const USERS = ['a', 'b', 'c']
const text = 'x'.repeat(250_000)

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

/** Nine waits of three environments, made of runs of one. */
async function givenWaits() {
  const { stores, clock, bus } = flow
  await flow.publish({
    key: 'k',
    trigger: { event: 'began' },
    steps: [
      { id: 'pause', type: 'delay', for: 'PT1H' },
      { id: 'tell', type: 'inbox', title: '{{ user.attributes.text.size }}' },
    ],
  })
  await flow.track({ name: 'began', userIds: ENVIRONMENTS.flatMap((id) => USERS.map((name) => `${name}_${id}`)) })
  clock.at += 3_600_000
  const waits = await stores.waits.claim(clock.at, 60_000, 500)
  const runs = await stores.waits.findRuns(waits)
  const moved = Array.from(runs, ([id, run]) => [id, { ...run, environmentId: Number(run.userId.slice(2)) }] as const)
  const deps = {
    waits: {
      ...stores.waits,
      findRuns: async () => new Map(moved),
      findContexts: () => stores.waits.findContexts([...runs.values()]),
    },
    users: stores.users,
    inboxes: stores.inboxes,
    pinned: createPinnedVersions(stores.campaigns),
    sendPolicies: { findMany: async (of: readonly object[]) => of.map(() => SEND_ALL) },
    live: createLiveCampaigns({ ...stores, bus, clock }),
  }
  return { deps, waits }
}

test('the profiles of several environments come in turns', async () => {
  for (const id of ENVIRONMENTS) {
    await flow.stores.environments.create({ ...flow.environment, id, name: `e${id}` }, [])
    for (const name of USERS) await flow.stores.users.upsert(id, `${name}_${id}`, { attributes: { text } }, 1)
  }
  const { deps, waits } = await givenWaits()
  const turns: number[] = []
  for (let left = waits; left.length > 0; ) {
    const { loaded, later } = await loadSuspended(deps, left)
    const chars = loaded.map(({ found }) => (found === 'gone' ? 0 : found.chars))
    expect(chars.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(LARGE_TOGETHER_BYTES + 10_000)
    turns.push(loaded.length)
    left = later
  }
  expect(turns).toEqual([4, 4, 1])
})

test('large versions come in turns', async () => {
  const { stores, clock, bus } = flow
  const html = 'x'.repeat(500_000)
  const mails = Array.from({ length: 7 }, (_, at) => ({ id: `m${at}`, type: 'email', subject: 'Hello', html }))
  for (let at = 0; at < 5; at++) {
    const steps = [{ id: 'pause', type: 'delay', for: 'PT1H' }, ...mails]
    await flow.publish({ key: `k${at}`, trigger: { event: `began_${at}` }, steps })
    await flow.track({ name: `began_${at}`, userId: 'ada' })
  }
  clock.at += 3_600_000
  const deps = {
    ...stores,
    pinned: createPinnedVersions(stores.campaigns),
    sendPolicies: { findMany: async (of: readonly object[]) => of.map(() => SEND_ALL) },
    live: createLiveCampaigns({ ...stores, bus, clock }),
  }
  const waits = await stores.waits.claim(clock.at, 60_000, 500)
  const first = await loadSuspended(deps, waits)
  expect([first.loaded.length, first.later.length]).toEqual([3, 2])
  expect((await loadSuspended(deps, first.later)).later).toEqual([])
})
