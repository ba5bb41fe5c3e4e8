// A rolling restart under load, with clients that retry no request: none fails, all sockets come back, nothing is lost or doubled (issue part 3, item 3).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { type GivenCluster, givenCluster } from '../support/given-cluster.ts'
import { type GivenLedger, givenLedger } from '../support/given-ledger.ts'
import { type GivenWatchers, givenWatchers } from '../support/given-watchers.ts'
import { tell } from '../support/tell.ts'

const SEED = Number(process.env.CRASH_SEED ?? 31)

let cluster: GivenCluster
let given: GivenLedger
let watchers: GivenWatchers
beforeAll(async () => {
  await buildEdge()
  cluster = await givenCluster()
  given = await givenLedger(cluster.url, cluster.demo, { seed: SEED, users: 60, workers: 6 })
  watchers = await givenWatchers(cluster.url, given)
}, 180_000)
afterAll(async () => {
  watchers?.close()
  given?.close()
  await cluster?.close()
})

test(`three nodes are restarted in turn under load (seed ${SEED})`, async () => {
  await expect.poll(cluster.proxy.ready).toBe(3)
  const before = cluster.nodes.map(({ pid }) => pid)
  let isOver = false
  const running = given.load.run(cluster.url, () => isOver)
  // Then there are messages to be clicked.
  await expect.poll(given.load.sent, { timeout: 10_000 }).toBeGreaterThan(50)
  await given.offerClicks(cluster.url)
  const statuses = await cluster.restartInTurn()
  await expect.poll(cluster.proxy.ready, { timeout: 10_000 }).toBe(3)
  isOver = true
  await running
  given.endClicks()
  expect(statuses).toEqual([0, 0, 0])
  expect(cluster.nodes.map(({ pid }) => pid).filter((pid) => before.includes(pid))).toEqual([])
  expect(Object.fromEntries(given.load.troubles)).toEqual({})
  const counts = await given.expectLedger(cluster.url)
  const seen = await watchers.expectWhole(cluster.url)
  tell('rolling restart of 3 nodes', {
    requests: given.load.sent(),
    failed: 0,
    ...counts,
    lost: 0,
    doubled: 0,
    ...seen,
  })
  expect(counts.events).toBeGreaterThan(500)
  expect(counts.clicks).toBeGreaterThan(0)
  expect(seen.reconnects).toBeGreaterThan(watchers.all.length / 2)
})
