// What others changed in the store is heard once, in whatever order it was committed, and confirmed within a second.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenAuth, givenAuth, refusalOf } from '../../test/support/given-auth.ts'
import { createRelayNotices } from './relay-notices.ts'

let auth: GivenAuth
beforeEach(async () => {
  auth = await givenAuth()
})
afterEach(() => auth.close())

/** The real store, of which some numbers are not committed yet and which may fail or answer late. */
function givenRelay() {
  const uncommitted = new Set<number>()
  const store = { reads: 0, fails: false, delay: async (): Promise<unknown> => undefined }
  const clock = { at: 0 }
  const heard: number[] = []
  const { notices } = auth.stores
  auth.bus.subscribe('sessions-ended', ({ sessionIds }) => heard.push(...sessionIds))
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
  return { relay, uncommitted, store, clock, heard }
}

/** Leaves a notice that names the session. */
async function endOne(): Promise<number> {
  const id = auth.ids.session.next()
  await auth.stores.sessions.end(id, auth.clock.now())
  return id
}

test('each notice is told once, from the first turn on', async () => {
  const { relay, heard } = givenRelay()
  await endOne()
  expect(await relay.turn()).toBe(0)
  const ids = [await endOne(), await endOne()]
  expect(await relay.turn()).toBe(2)
  expect(await relay.turn()).toBe(0)
  expect(heard).toEqual(ids)
})

test('one whose number was given earlier and committed later is heard too, and once', async () => {
  const { relay, heard, uncommitted } = givenRelay()
  await endOne()
  await relay.turn()
  const first = (await auth.stores.notices.lastNumber()) + 1
  uncommitted.add(first)
  const [late, early] = [await endOne(), await endOne()]
  await relay.turn()
  expect(heard).toEqual([early])
  uncommitted.clear()
  const latest = await endOne()
  await relay.turn()
  await relay.turn()
  expect(heard).toEqual([early, late, latest])
})

test('one that was under way when this node started is heard', async () => {
  const { relay, heard, uncommitted } = givenRelay()
  await endOne()
  const late = await endOne()
  await endOne()
  uncommitted.add((await auth.stores.notices.lastNumber()) - 1)
  await relay.turn()
  uncommitted.clear()
  await relay.turn()
  expect(heard).toEqual([late])
})

test('a number that never comes is waited for 10 s', async () => {
  const { relay, heard, uncommitted, clock } = givenRelay()
  await relay.turn()
  uncommitted.add((await auth.stores.notices.lastNumber()) + 1)
  await endOne()
  await endOne()
  await relay.turn()
  clock.at += 10_001
  await relay.turn()
  uncommitted.clear()
  await relay.turn()
  expect(heard).toHaveLength(1)
})

test('what was heard less than 800 ms ago is relied on; later it is read when it is needed, once for all', async () => {
  const { relay, heard, clock, store } = givenRelay()
  await relay.turn()
  const reads = store.reads
  clock.at = 799
  const id = await endOne()
  await relay.confirm()
  expect(heard).toEqual([])
  clock.at = 800
  await Promise.all([relay.confirm(), relay.confirm(), relay.confirm()])
  expect(heard).toEqual([id])
  expect(store.reads).toBe(reads + 1)
})

test('what cannot be read is 503 service/unavailable, until it can be', async () => {
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

test('a node that stood still during its read reads once more', async () => {
  const { relay, clock, store, heard } = givenRelay()
  await relay.turn()
  clock.at = 1000
  store.delay = () => {
    store.delay = async () => undefined
    clock.at = 9000
    return endOne()
  }
  await relay.confirm()
  expect(heard).toHaveLength(1)
})
