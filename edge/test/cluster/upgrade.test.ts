// Two real releases beside each other on one store: from the previous one to this one, node by node, under load.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownTables, MIGRATIONS, migrate, readTables } from '../../stores/migrate.ts'
import { type Link, openLink } from '../../stores/postgres/link.ts'
import { plainSql } from '../../stores/postgres/prepare.ts'
import { POSTGRES } from '../../stores/postgres/sql.ts'
import { runTransaction } from '../../stores/postgres/transaction.ts'
import type { Sql } from '../../stores/sql/sql.ts'
import { CALLS_EVERY_MS, EDGE, type GivenBusyCluster, givenBusyCluster } from '../support/given-busy-cluster.ts'
import { buildRelease, type Release } from '../support/previous-release.ts'
import { tell } from '../support/tell.ts'

const SEED = Number(process.env.CRASH_SEED ?? 32)
/** The version of tables of the previous release. Raised when a release is made. */
const PREVIOUS_TABLES = 8

let previous: Release
let given: GivenBusyCluster
let link: Link
beforeAll(async () => {
  previous = await buildRelease(PREVIOUS_TABLES)
  // It makes the tables that it knows.
  given = await givenBusyCluster(SEED, { program: previous.program, withTables: false })
  link = await openLink({ url: given.cluster.databaseUrl, deadlineMs: 10_000 })
}, 180_000)
afterAll(async () => {
  link?.destroy('done')
  await given?.close()
  previous?.remove()
})

const tables = async () => (await readTables(plainSql(link))).number

test(`three nodes go from the previous release to this one under load, and one of them back and forth (seed ${SEED})`, async () => {
  const { cluster, ledger, watchers } = given
  const [first, second, third] = cluster.nodes
  await expect.poll(cluster.proxy.ready).toBe(3)
  expect(await tables()).toBe(PREVIOUS_TABLES)
  let isOver = false
  const running = ledger.load.run(
    cluster.url,
    () => isOver,
    () => CALLS_EVERY_MS,
  )
  await expect.poll(ledger.load.sent, { timeout: 20_000 }).toBeGreaterThan(50)
  await ledger.offerClicks(cluster.url)
  const statuses: (number | null | undefined)[] = []
  // The tables grow under two nodes of the old release; then one goes back to it, on the new tables.
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
    await ledger.offerClicks(cluster.url)
  }
  await expect.poll(cluster.proxy.ready, { timeout: 20_000 }).toBe(3)
  isOver = true
  await running
  ledger.endClicks()
  expect(statuses).toEqual([0, 0, 0, 0, 0])
  given.expectUntroubled()
  await ledger.settle(cluster.url)
  const counts = await ledger.expectLedger(cluster.url)
  const seen = await watchers.expectWhole(cluster.url)
  tell(`from ${previous.commit} to this release`, {
    requests: ledger.load.sent(),
    silences: cluster.silences(),
    ...counts,
    lost: 0,
    doubled: 0,
    ...seen,
  })
  expect(counts.events).toBeGreaterThan(300)
  expect(counts.fanOuts).toBeGreaterThan(0)
  expect(counts.clicks).toBeGreaterThan(0)
})

test('on tables that need this release, the previous one refuses to start and says why', async () => {
  const { cluster } = given
  const [node] = cluster.nodes
  // The lowest version of tables that a program must know after it; what it removes is not the point here.
  const contraction = { number: 9001, oldestBinary: knownTables(), statements: [] }
  const engine = { transaction: <T>(work: (sql: Sql) => Promise<T>) => runTransaction(link, work) }
  await migrate(engine, POSTGRES, 0, [...MIGRATIONS, contraction])
  expect(await node?.stop()).toBe(0)
  await expect(node?.start(previous.program)).rejects.toThrow(
    `The data were written by a newer version (tables 9001, this program knows ${PREVIOUS_TABLES}). Install that version or a later one.`,
  )
  await node?.start(EDGE)
  expect(await node?.isReady()).toBe(true)
})
