// Tests a rolling restart under load with clients that do not retry: no request fails, all sockets reconnect.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { CALLS_EVERY_MS, type GivenBusyCluster, givenBusyCluster } from '../support/given-busy-cluster.ts'
import { reportCounts } from '../support/report-counts.ts'

const SEED = Number(process.env.CRASH_SEED ?? 31)

let given: GivenBusyCluster
beforeAll(async () => {
  given = await givenBusyCluster(SEED)
})
afterAll(() => given?.close())

test(`no request fails when three nodes are restarted in turn under load (seed ${SEED})`, async () => {
  const { cluster, ledger, watchers } = given
  await expect.poll(cluster.proxy.ready).toBe(3)
  const before = cluster.nodes.map(({ pid }) => pid)
  let isOver = false
  const running = ledger.load.run(
    cluster.url,
    () => isOver,
    () => CALLS_EVERY_MS,
  )
  // Creates messages that can be clicked.
  await expect.poll(ledger.load.sent).toBeGreaterThan(50)
  await expect.poll(() => ledger.startClicks(cluster.url)).toBeGreaterThan(0)
  const statuses = await cluster.restartInTurn()
  await expect.poll(cluster.proxy.ready).toBe(3)
  isOver = true
  await running
  ledger.stopClicks()
  expect(statuses).toEqual([0, 0, 0])
  expect(cluster.nodes.map(({ pid }) => pid).filter((pid) => before.includes(pid))).toEqual([])
  given.expectNoFailures()
  await ledger.settle(cluster.url)
  const counts = await ledger.expectLedger(cluster.url)
  const statistics = await watchers.expectComplete(cluster.url)
  reportCounts('rolling restart of 3 nodes', {
    requests: ledger.load.sent(),
    silences: cluster.silences(),
    failed: 0,
    ...counts,
    lost: 0,
    doubled: 0,
    ...statistics,
  })
  expect(counts.events).toBeGreaterThan(500)
  expect(counts.clicks).toBeGreaterThan(0)
  expect(statistics.reconnects).toBeGreaterThan(watchers.all.length / 2)
})
