// Tests a rolling upgrade from the previous release to this one on one store under load.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownTables, MIGRATIONS, migrate, readTables } from '../../stores/migrate.ts'
import { type Connection, openConnection } from '../../stores/postgres/connection.ts'
import { plainSql } from '../../stores/postgres/prepare.ts'
import { POSTGRES } from '../../stores/postgres/sql.ts'
import { runTransaction } from '../../stores/postgres/transaction.ts'
import type { Sql } from '../../stores/sql/sql.ts'
import { CALLS_EVERY_MS, EDGE, type GivenBusyCluster, givenBusyCluster } from '../support/given-busy-cluster.ts'
import { buildRelease, type Release } from '../support/previous-release.ts'
import { reportCounts } from '../support/report-counts.ts'

const SEED = Number(process.env.CRASH_SEED ?? 32)

let previous: Release
let given: GivenBusyCluster
let connection: Connection
beforeAll(async () => {
  previous = await buildRelease()
  // The previous release creates its own tables.
  given = await givenBusyCluster(SEED, { program: previous.program, withTables: false })
  connection = await openConnection({ url: given.cluster.databaseUrl, deadlineMs: 10_000 })
})
afterAll(async () => {
  connection?.destroy('done')
  await given?.close()
  previous?.remove()
})

const tables = async () => (await readTables(plainSql(connection))).number

/** Stops each node and starts it with another program, one after another, under the load of the ledger. */
async function upgradeInTurn(): Promise<void> {
  const { cluster, ledger } = given
  const [first, second, third] = cluster.nodes
  let isOver = false
  const running = ledger.load.run(
    cluster.url,
    () => isOver,
    () => CALLS_EVERY_MS,
  )
  await expect.poll(ledger.load.sent).toBeGreaterThan(50)
  await ledger.startClicks(cluster.url)
  const statuses: (number | null | undefined)[] = []
  // The new release migrates the tables while two old nodes run; then one node returns to the old release.
  for (const [node, program] of [
    [first, EDGE],
    [first, previous.program],
    [second, EDGE],
    [first, EDGE],
    [third, EDGE],
  ] as const) {
    statuses.push(await node?.stop())
    await node?.start(program)
    expect(await tables()).toBe(knownTables())
    await ledger.startClicks(cluster.url)
  }
  await expect.poll(cluster.proxy.ready).toBe(3)
  isOver = true
  await running
  ledger.stopClicks()
  expect(statuses).toEqual([0, 0, 0, 0, 0])
}

/**
 * Stops all nodes, whose release cannot use the new tables, and starts them with this one.
 * The load runs before and after.
 */
async function upgradeAtOnce(): Promise<void> {
  const { cluster, ledger } = given
  const loadUntil = (sent: number) =>
    ledger.load.run(
      cluster.url,
      () => ledger.load.sent() > sent,
      () => CALLS_EVERY_MS,
    )
  await loadUntil(300)
  await ledger.startClicks(cluster.url)
  expect(await Promise.all(cluster.nodes.map((node) => node.stop()))).toEqual([0, 0, 0])
  for (const node of cluster.nodes) await node.start(EDGE)
  await expect.poll(cluster.proxy.ready).toBe(3)
  expect(await tables()).toBe(knownTables())
  await ledger.startClicks(cluster.url)
  await loadUntil(600)
  ledger.stopClicks()
}

test(`nothing is lost when three nodes change from the previous release to this one (seed ${SEED})`, async () => {
  const { cluster, ledger, watchers } = given
  await expect.poll(cluster.proxy.ready).toBe(3)
  expect(await tables()).toBe(previous.tables)
  const oldestBinary = Math.max(...MIGRATIONS.map((migration) => migration.oldestBinary))
  await (previous.tables >= oldestBinary ? upgradeInTurn() : upgradeAtOnce())
  given.expectNoFailures()
  await ledger.settle(cluster.url)
  const counts = await ledger.expectLedger(cluster.url)
  const statistics = await watchers.expectComplete(cluster.url)
  reportCounts(`from ${previous.commit} to this release`, {
    requests: ledger.load.sent(),
    silences: cluster.silences(),
    ...counts,
    lost: 0,
    doubled: 0,
    ...statistics,
  })
  expect(counts.events).toBeGreaterThan(300)
  expect(counts.fanOuts).toBeGreaterThan(0)
  expect(counts.clicks).toBeGreaterThan(0)
})

test('the previous release refuses to start on tables that need this one, and reports why', async () => {
  const { cluster } = given
  const [node] = cluster.nodes
  // Only the minimum version matters here, not what the migration removes.
  const contraction = { number: 9001, oldestBinary: previous.tables + 1, statements: [] }
  const engine = { transaction: <T>(work: (sql: Sql) => Promise<T>) => runTransaction(connection, work) }
  await migrate(engine, POSTGRES, 0, [...MIGRATIONS, contraction])
  expect(await node?.stop()).toBe(0)
  await expect(node?.start(previous.program)).rejects.toThrow(
    `The data were written by a newer version (tables 9001, this program knows ${previous.tables}). Install that version or a later one.`,
  )
  // Before the first release both are the same program, which refuses as well.
  if (knownTables() === previous.tables) return
  await node?.start(EDGE)
  expect(await node?.isReady()).toBe(true)
})
