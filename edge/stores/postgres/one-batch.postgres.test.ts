// Tests that a batch on PostgreSQL takes few statements over arrays, whose number does not grow with the plans. SQLite
// has no round trips to save.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TrackPlan } from '../../domain/plan.ts'
import { createIdSource } from '../../lib/id.ts'
import { freshStore } from '../../test/support/servers.ts'
import { planOf } from '../../test/support/track-plan.ts'
import { runBatch } from '../sql/commit/run-batch.ts'
import { createUserIdCache } from '../sql/commit/user-id-cache.ts'
import { createWriterCache, type WriterCache } from '../sql/commit/writer-cache.ts'
import { type Connection, openConnection } from './connection.ts'
import { runTransaction } from './transaction.ts'

const NOW = Date.UTC(2026, 5, 1)
const clock = { now: () => NOW }
const ids = { event: createIdSource(clock), run: createIdSource(clock), message: createIdSource(clock) }
const users = createUserIdCache()
let connection: Connection
/** Holds locks like another client. */
let holder: Connection
beforeAll(async () => {
  const url = await freshStore()
  connection = await openConnection({ url, deadlineMs: 10_000 })
  holder = await openConnection({ url, deadlineMs: 10_000 })
})
afterAll(() => {
  connection.destroy('done')
  holder.destroy('done')
})

/** Returns a plan with all parts: a key, a profile, a run, and messages for a new user. */
function track(number: number): TrackPlan {
  const userId = `u${number}`
  return {
    ...planOf(ids, 1, NOW, userId, 2, { collapseKey: `c${number}` }),
    idempotency: { key: `k${number}`, bodyHash: 'h', expiresAt: NOW + 1000 },
    profile: { userId, change: { attributes: { name: userId } } },
  }
}

/** Counts the statements of a batch, with BEGIN and COMMIT, and how often it waits for a response. */
async function countBatch(
  plans: Parameters<typeof runBatch>[1]['plans'],
  cache?: WriterCache,
): Promise<{ count: number; waits: number }> {
  const seen = { count: 0, waits: 0 }
  const underWay = new Set<Promise<unknown>>()
  const counted: Connection = {
    ...connection,
    query<Row>(...args: Parameters<Connection['query']>) {
      seen.count += 1
      if (underWay.size === 0) seen.waits += 1
      const response = connection.query<Row>(...args)
      underWay.add(response)
      response.finally(() => underWay.delete(response)).catch(() => {})
      return response
    },
  }
  const context = {
    slot: 0,
    storeEpoch: 'e',
    users,
    keySweep: { nextAt: NOW * 2 },
    ...(cache === undefined ? {} : { cache }),
  }
  const engine = { transaction: <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(counted, work) }
  const result = await runBatch({ engine, context, isStoreFault: () => false }, { writes: [], plans, now: NOW })
  for (const settled of result.plans) expect(settled).toHaveProperty('value')
  return seen
}

const countStatements = async (plans: Parameters<typeof runBatch>[1]['plans']) => (await countBatch(plans)).count

test('five, two hundred and a thousand plans are committed by fewer than twenty statements each', async () => {
  const tracks = (from: number, count: number) => Array.from({ length: count }, (_, at) => track(from + at))
  const [few, many] = [tracks(0, 5), tracks(1000, 200)]
  // The second time the users are cached, and newer messages replace theirs.
  for (const plans of [few, many, tracks(5000, 1000), tracks(0, 5), tracks(1000, 200)]) {
    expect(await countStatements(plans)).toBeLessThan(20)
  }

  const read = (plan: TrackPlan) => ({
    kind: 'deliver' as const,
    environmentId: 1,
    userNo: null,
    now: NOW,
    items: plan.messages.map(({ id }) => ({
      messageId: id,
      eventType: 'opened' as const,
      occurredAt: NOW,
      automated: false,
      source: 'widget',
      link: null,
    })),
  })
  expect(await countStatements(many.map(read))).toBeLessThan(20)
  expect(await countStatements(few.map(read))).toBeLessThan(20)
})

test('a batch of events for cached users takes five statements and two waits', async () => {
  const plain = () =>
    Array.from({ length: 20 }, (_, at): TrackPlan => ({ ...planOf(ids, 1, NOW, `p${at}`, 1, {}), secretId: 77 }))
  await connection.query(
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (77, 1, 'k', 'h', 0, $1)`,
    [NOW],
  )
  await countBatch(plain())
  // BEGIN, the secret and the positions; all inserts and COMMIT. A node's fence adds one statement.
  expect(await countBatch(plain())).toEqual({ count: 5, waits: 2 })
})

test('with cached positions and secret nothing is read: four statements, one wait', async () => {
  const plain = () =>
    Array.from({ length: 20 }, (_, at): TrackPlan => ({ ...planOf(ids, 1, NOW, `m${at}`, 1, {}), secretId: 79 }))
  await connection.query(
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (79, 1, 'k', 'h3', 0, $1)`,
    [NOW],
  )
  const cache = createWriterCache()
  await countBatch(plain(), cache)
  // BEGIN, the check, the inserts, COMMIT. The second batch uses the cache of the first.
  for (const _ of [1, 2]) expect(await countBatch(plain(), cache)).toEqual({ count: 4, waits: 1 })
  const [head] = await connection.query<{ seq: number }>(
    `SELECT seq FROM inbox_head JOIN app_user USING (user_no) WHERE user_id = 'm7'`,
  )
  expect(head?.seq).toBe(3)
})

test('the last use of a secret is not recorded while another client has locked it, and is recorded later', async () => {
  const used = async () =>
    (
      await connection.query<{ at: number }>(
        'SELECT last_used_at AS at FROM secret WHERE environment_id = 1 AND id = 78',
      )
    )[0]?.at
  await connection.query(
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (78, 1, 'k', 'h2', 0, 0)`,
  )
  const plans = () => [{ ...planOf(ids, 1, NOW, 'p1', 1, {}), secretId: 78 }]
  await runTransaction(holder, async (other) => {
    await other.all('SELECT id FROM secret WHERE environment_id = 1 AND id = 78 FOR UPDATE')
    await countBatch(plans())
  })
  expect(await used()).toBe(0)
  await countBatch(plans())
  expect(await used()).toBe(NOW)
})

test('a new user without a message takes no statement of its own', async () => {
  const withoutMessages = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, at): TrackPlan => ({ ...planOf(ids, 1, NOW, `s${from + at}`, 1, {}), messages: [], runs: [] }),
    )
  const ofFew = await countStatements(withoutMessages(0, 5))
  expect(await countStatements(withoutMessages(1000, 200))).toBe(ofFew)
})
