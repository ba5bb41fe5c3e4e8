// Tests retention on a real store: each organisation by its own days, in short time slices.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryBus } from '../../bus/memory.ts'
import type { BusTopics } from '../../domain/bus.ts'
import type { Stores } from '../../domain/stores.ts'
import { createCommitPlan } from '../../flow/commit.ts'
import { createPurgeExpired } from '../../flow/retention/purge-expired.ts'
import { createSetRetention } from '../../flow/tenant/change-organisation.ts'
import { type EngineStores, givenStores } from '../support/engine-stores.ts'
import { DAY_MS, type GivenRetention, givenRetention, NOW } from './given-retention.ts'

let store: EngineStores
let stores: Stores
let now = NOW
const clock = { now: () => now }
beforeAll(async () => {
  store = await givenStores(clock)
  stores = store.stores
})
afterAll(() => store.close())

function givenPurge(pauses: number[] = []) {
  const pushed: BusTopics['inbox-pushed'][] = []
  const bus = createMemoryBus({
    onListenerError: (error) => {
      throw error
    },
  })
  bus.subscribe('inbox-pushed', (payload) => pushed.push(payload))
  const { organisations, environments } = stores
  const commitPlan = createCommitPlan({ ...stores, bus, pollJobs() {}, scheduleTimers() {} })
  const purgeStep = (environmentId: number, before: number) => commitPlan({ kind: 'purge', environmentId, before })
  const sweepMailFiles = async () => {}
  const rest = async (ms: number) => void pauses.push(ms)
  return { pushed, purge: createPurgeExpired({ purgeStep, sweepMailFiles, organisations, environments, clock, rest }) }
}

const countEvents = async ({ environmentId }: GivenRetention) =>
  (await stores.events.list(environmentId, {}, null, 1000)).events.length

test('each organisation keeps its own number of days, removals are pushed, and the purge pauses between steps', async () => {
  const short = await givenRetention(stores, { retentionDays: 30 })
  const long = await givenRetention(stores, { retentionDays: 365 })
  await short.fill(700)
  await short.fill(5, NOW - 10 * DAY_MS)
  await long.fill(20)
  const pauses: number[] = []
  const { purge, pushed } = givenPurge(pauses)
  const report = await purge.run()
  expect(report).toEqual({ rows: 700 + 700, steps: pauses.length, done: true })
  expect(await countEvents(short)).toBe(5)
  expect(await countEvents(long)).toBe(20)
  const removed = pushed.flatMap((push) => push.frame().changes)
  expect(removed).toHaveLength(700)
  expect(new Set(removed.map(({ op }) => op))).toEqual(new Set(['remove']))
  expect(pauses.length).toBeGreaterThan(3)
  expect(pauses.every((ms) => ms > 0)).toBe(true)
  expect(await purge.run()).toEqual({ rows: 0, steps: 0, done: true })
})

test('a smaller number of days takes effect at the next periodic purge', async () => {
  const given = await givenRetention(stores, { retentionDays: 365 })
  await given.fill(10)
  const { purge } = givenPurge()
  expect(await purge.turn()).toMatchObject({ rows: 0, done: true })
  expect(await createSetRetention({ retention: stores.retention })(given.organisationId, 90)).toBe(true)
  expect((await stores.organisations.find(given.organisationId))?.retentionDays).toBe(90)
  expect(await purge.turn()).toMatchObject({ rows: 0 })
  now += 10 * 60 * 1000
  expect(await purge.turn()).toMatchObject({ rows: 20, done: true })
  expect(await countEvents(given)).toBe(0)
})

test('a purge whose time is over reports that it has not finished, and the next one continues', async () => {
  const given = await givenRetention(stores, { retentionDays: 90 })
  await given.fill(300)
  const { purge } = givenPurge()
  expect(await purge.run(performance.now())).toEqual({ rows: 0, steps: 0, done: false })
  expect(await countEvents(given)).toBe(300)
  expect(await purge.run()).toMatchObject({ rows: 600, done: true })
})
