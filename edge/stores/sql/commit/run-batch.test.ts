// Tests the group commit on a database in memory: faults of the store, of one write or of one plan.

import { beforeEach, expect, test } from 'vitest'
import type { TrackPlan } from '../../../domain/plan.ts'
import { migrate } from '../../migrate.ts'
import { isStoreFault, loadDriver, type SqliteConnection } from '../../sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from '../../sqlite/sql.ts'
import type { Sql } from '../sql.ts'
import { type BatchDeps, runBatch } from './run-batch.ts'
import { createUserIdCache } from './user-id-cache.ts'

let connection: SqliteConnection
let sql: Sql
let deps: BatchDeps

beforeEach(async () => {
  connection = (await loadDriver()).open(':memory:', 0)
  sql = createSqliteSql(connection)
  const engine = createSqliteEngine(connection, sql)
  await migrate(engine, SQLITE, 0)
  const context = { slot: 0, storeEpoch: 'e', users: createUserIdCache(), keySweep: { nextAt: 0 } }
  deps = { engine, context, isStoreFault }
})

test('a full disk fails the whole batch once, and the next batch is fine when there is room', async () => {
  const used = connection.prepare('PRAGMA page_count').all([])[0] as { page_count: number }
  connection.exec(`PRAGMA max_page_count = ${used.page_count}`)
  const plans = [1, 2, 3].map((id) => event(id, { properties: JSON.stringify({ text: 'x'.repeat(20_000) }) }))
  const full = await runBatch(deps, { writes: [], plans, now: 1 })
  expect(full.plans.map((one) => 'error' in one && isStoreFault(one.error))).toEqual([true, true, true])
  connection.exec('PRAGMA max_page_count = 100000')
  expect((await runBatch(deps, { writes: [], plans, now: 1 })).plans).toMatchObject(
    plans.map(() => ({ value: { result: 'written' } })),
  )
  expect(await count('tracked_event')).toBe(3)
})

test('a poisoned write or plan fails alone, in their order', async () => {
  const writes = [1, 2, 1, 3].map((id) => ({ name: 'createOrganisation' as const, args: [organisation(id)] }))
  const plans = [event(1), event(2), event(2), event(3)]
  const result = await runBatch(deps, { writes, plans, now: 1 })
  expect(result.writes.map((one) => 'value' in one)).toEqual([true, true, false, true])
  expect(result.plans.map((one) => 'value' in one)).toEqual([true, true, false, true])
  expect([await count('organisation'), await count('tracked_event')]).toEqual([3, 3])
})

test('the floor of ids follows the newest of each batch', async () => {
  await runBatch(deps, { writes: [], plans: [event(70), event(50)], now: 1 })
  await runBatch(deps, { writes: [{ name: 'createOrganisation', args: [organisation(60)] }], plans: [], now: 1 })
  expect(await sql.one('SELECT value FROM id_floor')).toEqual({ value: 70 })
})

test('expired keys are removed, a thousand at a time', async () => {
  const expiring = Array.from({ length: 1500 }, (_, index) =>
    event(index + 1, {}, { key: `k${index}`, bodyHash: 'h', expiresAt: 10 }),
  )
  await runBatch(deps, { writes: [], plans: expiring, now: 1 })
  const later = 1 + 60_000
  await runBatch(deps, {
    writes: [],
    plans: [event(2001, {}, { key: 'new', bodyHash: 'h', expiresAt: later + 1 })],
    now: later,
  })
  expect(await count('idempotency')).toBe(501)
  await runBatch(deps, { writes: [], plans: [event(2002)], now: later })
  expect(await count('idempotency')).toBe(1)
})

async function count(table: string): Promise<number | undefined> {
  return (await sql.one<{ found: number }>(`SELECT COUNT(*) AS found FROM ${table}`))?.found
}

function organisation(id: number) {
  return { id, name: 'Acme', region: null, onboardedAt: null, retentionDays: 90, createdAt: 1 }
}

function event(
  id: number,
  over: { properties?: string } = {},
  idempotency: TrackPlan['idempotency'] = null,
): TrackPlan {
  return {
    kind: 'track',
    environmentId: 1,
    secretId: null,
    now: 1,
    event: {
      id,
      environmentId: 1,
      correlationId: 'c',
      name: 'order.shipped',
      userId: null,
      userIds: null,
      topic: null,
      properties: '{}',
      source: 'api',
      occurredAt: 1,
      receivedAt: 1,
      outcome: 'unmatched',
      considered: null,
      raw: null,
      ...over,
    },
    idempotency,
    profile: null,
    runs: [],
    messages: [],
    jobs: [],
    waits: [],
    completes: null,
    continues: null,
  }
}
