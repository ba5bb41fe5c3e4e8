// Tests that a kill of any of three nodes loses or duplicates nothing acknowledged; clients reconnect within 10 s.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { CALLS_EVERY_MS, type GivenBusyCluster, givenBusyCluster } from '../support/given-busy-cluster.ts'
import { reportCounts } from '../support/report-counts.ts'

const SEED = Number(process.env.CRASH_SEED ?? 30)
const RECONNECT_WITHIN_MS = 10_000
/** Number of requests before each kill. */
const MIN_REQUESTS = 200

let given: GivenBusyCluster
beforeAll(async () => {
  given = await givenBusyCluster(SEED)
})
afterAll(() => given?.close())

test(`nothing is lost when each of three nodes is killed under load (seed ${SEED})`, async () => {
  const { cluster, ledger, watchers } = given
  await expect.poll(cluster.proxy.ready).toBe(3)
  for (const node of cluster.nodes) {
    await ledger.startClicks(cluster.url)
    let [isKilled, isOver] = [false, false]
    const intervalMs = () => (isKilled ? CALLS_EVERY_MS : 0)
    const running = ledger.load.run(cluster.url, () => isOver, intervalMs)
    const sentBefore = ledger.load.sent()
    await expect.poll(ledger.load.sent).toBeGreaterThan(sentBefore + MIN_REQUESTS)
    const before = node.pid
    await node.kill()
    isKilled = true
    // Under load, the others serve, the launcher restarts the node, and the proxy uses it again.
    await expect.poll(async () => node.pid !== before && (await node.isReady())).toBe(true)
    await expect.poll(cluster.proxy.ready).toBe(3)
    await watchers.connected()
    isOver = true
    await running
    ledger.stopClicks()
    await ledger.settle(cluster.url)
  }
  const counts = await ledger.expectLedger(cluster.url)
  const statistics = await watchers.expectComplete(cluster.url)
  const failures = Object.fromEntries(ledger.load.failures)
  reportCounts('3 nodes killed in turn', {
    requests: ledger.load.sent(),
    failures,
    ...counts,
    lost: 0,
    doubled: 0,
    ...statistics,
  })
  expect(counts.events).toBeGreaterThan(500)
  expect(counts.fanOuts).toBeGreaterThan(0)
  expect(statistics.reconnects).toBeGreaterThan(0)
  expect(statistics.longestOfflineMs).toBeLessThan(RECONNECT_WITHIN_MS)
})
