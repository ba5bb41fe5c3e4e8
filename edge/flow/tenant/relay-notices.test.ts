// Tests that changes of other processes are published once, in any order of commits, and confirmed within a second.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenAuth, givenAuth, refusalOf } from '../../test/support/given-auth.ts'
import { createRelayNotices } from './relay-notices.ts'

let auth: GivenAuth
beforeEach(async () => {
  auth = await givenAuth()
})
afterEach(() => auth.close())

/** Uses the real store, in which some numbers are not committed yet and which may fail or answer late. */
function givenRelay() {
  const uncommitted = new Set<number>()
  const store = { reads: 0, fails: false, delay: async (): Promise<unknown> => undefined }
  const clock = { at: 0 }
  const published: number[] = []
  const { notices } = auth.stores
  auth.bus.subscribe('sessions-ended', ({ sessionIds }) => published.push(...sessionIds))
  const relay = createRelayNotices({
    notices: {
      ...notices,
      async listAfter(number) {
        store.reads++
        if (store.fails) throw new Error('gone')
        const rows = await notices.listAfter(number)
        await store.delay()
        return rows.filter((row) => !uncommitted.has(row.number))
      },
    },
    bus: auth.bus,
    monotonicNow: () => clock.at,
  })
  return { relay, uncommitted, store, clock, published }
}

/** Ends a session, which writes a notice. @returns The id of the session. */
async function endOne(): Promise<number> {
  const id = auth.ids.session.next()
  await auth.stores.sessions.end(1, id, auth.clock.now())
  return id
}

test('each notice after the first turn is published once', async () => {
  const { relay, published } = givenRelay()
  await endOne()
  expect(await relay.turn()).toBe(0)
  const ids = [await endOne(), await endOne()]
  expect(await relay.turn()).toBe(2)
  expect(await relay.turn()).toBe(0)
  expect(published).toEqual(ids)
})

test('a notice that is committed after one with a higher number is published once', async () => {
  const { relay, published, uncommitted } = givenRelay()
  await endOne()
  await relay.turn()
  const first = (await auth.stores.notices.lastNumber()) + 1
  uncommitted.add(first)
  const [late, early] = [await endOne(), await endOne()]
  await relay.turn()
  expect(published).toEqual([early])
  uncommitted.clear()
  const latest = await endOne()
  await relay.turn()
  await relay.turn()
  expect(published).toEqual([early, late, latest])
})

test('a notice that was not committed when this node started is published', async () => {
  const { relay, published, uncommitted } = givenRelay()
  await endOne()
  const late = await endOne()
  await endOne()
  uncommitted.add((await auth.stores.notices.lastNumber()) - 1)
  await relay.turn()
  uncommitted.clear()
  await relay.turn()
  expect(published).toEqual([late])
})

test('a missing number is ignored after 10 s', async () => {
  const { relay, published, uncommitted, clock } = givenRelay()
  await relay.turn()
  uncommitted.add((await auth.stores.notices.lastNumber()) + 1)
  await endOne()
  await endOne()
  await relay.turn()
  clock.at += 10_001
  await relay.turn()
  uncommitted.clear()
  await relay.turn()
  expect(published).toHaveLength(1)
})

test('a read is confirmed for 800 ms; after that, concurrent calls share one read', async () => {
  const { relay, published, clock, store } = givenRelay()
  await relay.turn()
  const reads = store.reads
  clock.at = 799
  const id = await endOne()
  await relay.confirm()
  expect(published).toEqual([])
  clock.at = 800
  await Promise.all([relay.confirm(), relay.confirm(), relay.confirm()])
  expect(published).toEqual([id])
  expect(store.reads).toBe(reads + 1)
})

test('a store that cannot be read is 503 service/unavailable', async () => {
  const { relay, clock, store } = givenRelay()
  await relay.turn()
  clock.at = 5000
  store.fails = true
  expect(await refusalOf(relay.confirm())).toBe('503 service/unavailable')
  store.fails = false
  await relay.confirm()
  clock.at = 10_000
  store.delay = () => new Promise(() => {})
  expect(await refusalOf(relay.confirm())).toBe('503 service/unavailable')
})

test('a node that did not run during its read reads again', async () => {
  const { relay, clock, store, published } = givenRelay()
  await relay.turn()
  clock.at = 1000
  store.delay = () => {
    store.delay = async () => undefined
    clock.at = 9000
    return endOne()
  }
  await relay.confirm()
  expect(published).toHaveLength(1)
})
