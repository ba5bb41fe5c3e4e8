// Killing any of three nodes under load loses nothing acknowledged and doubles nothing; its clients are back within 10 s with right counts (issue part 3, item 3).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { type GivenCluster, givenCluster } from '../support/given-cluster.ts'
import { type GivenLedger, givenLedger } from '../support/given-ledger.ts'
import { type GivenWatchers, givenWatchers } from '../support/given-watchers.ts'
import { tell } from '../support/tell.ts'

const SEED = Number(process.env.CRASH_SEED ?? 30)
const BACK_WITHIN_MS = 10_000
const LOAD_MS = 1500

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

test(`each of three nodes is killed under load (seed ${SEED})`, async () => {
  await expect.poll(cluster.proxy.ready).toBe(3)
  for (const node of cluster.nodes) {
    await given.offerClicks(cluster.url)
    let isOver = false
    const running = given.load.run(cluster.url, () => isOver)
    await new Promise((resolve) => setTimeout(resolve, LOAD_MS))
    const before = node.pid
    await node.kill()
    // Under load still: the others serve, the launcher starts it again, the proxy takes it back.
    await expect.poll(async () => node.pid !== before && (await node.isReady()), { timeout: 60_000 }).toBe(true)
    await expect.poll(cluster.proxy.ready, { timeout: 10_000 }).toBe(3)
    await watchers.connected()
    isOver = true
    await running
    given.endClicks()
    await given.settle(cluster.url)
  }
  const counts = await given.expectLedger(cluster.url)
  const seen = await watchers.expectWhole(cluster.url)
  const broken = Object.fromEntries(given.load.troubles)
  tell('3 nodes killed in turn', { requests: given.load.sent(), broken, ...counts, lost: 0, doubled: 0, ...seen })
  expect(counts.events).toBeGreaterThan(500)
  expect(counts.fanOuts).toBeGreaterThan(0)
  expect(seen.reconnects).toBeGreaterThan(0)
  expect(seen.longestAwayMs).toBeLessThan(BACK_WITHIN_MS)
})
