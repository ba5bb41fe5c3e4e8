// Tests a command line during a running server: counters are verified and corrected while the server counts.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Stores } from '../../domain/stores.ts'
import { type Given, START, trackPlan, write } from '../test/given.ts'
import { loadDriver } from './driver.ts'
import { openSqliteExternal } from './external.ts'
import { openSqliteStores } from './stores.ts'

/** Does the same as `nc stats rebuild`. */
async function rebuildExternally(options: Parameters<typeof openSqliteExternal>[0]) {
  const stores = await openSqliteExternal(options)
  return stores.funnels.rebuild().finally(() => stores.close())
}

let dataDir: string
let stores: Stores
let lastId = 0
const clock = { now: () => START }

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'store-external-'))
  stores = await openSqliteStores({ dataDir, clock })
})
afterEach(async () => {
  await stores.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function given(): Given {
  const id = () => ++lastId
  return { stores, now: clock.now, advance: () => {}, reopen: async () => stores, environmentId: id, id }
}

const track = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () => write(given(), trackPlan(given(), { environmentId: 1, userIds: ['u1'] }))),
  )
const deliveries = async () => (await stores.funnels.slices(1, 1, 'inbox', null))[0]?.delivery
const started = async () => (await stores.funnels.steps(1, 1, 1, START)).counts[0]?.count

test('wrong counters are corrected once, also during counts and other rebuilds', async () => {
  await track(10)
  expect(await rebuildExternally({ dataDir, clock })).toEqual({ counters: 4, differed: 0 })
  const connection = (await loadDriver()).open(join(dataDir, 'store.db'), 1000)
  connection.exec('UPDATE funnel SET deliveries = deliveries + 7, reads = reads + 1')
  connection.exec('UPDATE step_count SET counted = counted + 7')
  connection.close()
  expect(await deliveries()).toBe(17)
  expect(await started()).toBe(17)
  const external = rebuildExternally({ dataDir, clock })
  const [first] = await Promise.all([stores.funnels.rebuild(), stores.funnels.rebuild(), external, track(20)])
  expect(first.counters).toBe(4)
  expect(await deliveries()).toBe(30)
  expect(await started()).toBe(30)
  expect(await stores.funnels.rebuild()).toEqual({ counters: 4, differed: 0 })
})

test('a missing store, or one of another version, is refused with an explanation', async () => {
  await expect(rebuildExternally({ dataDir: join(dataDir, 'none'), clock })).rejects.toThrow(/There is no store/)
  const connection = (await loadDriver()).open(join(dataDir, 'store.db'), 1000)
  connection.exec('INSERT INTO migration (number, oldest_binary, applied_at) VALUES (900, 1, 0)')
  connection.close()
  await expect(rebuildExternally({ dataDir, clock })).rejects.toThrow(/version 900/)
})
