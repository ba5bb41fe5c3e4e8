// Tests that a group commit on PostgreSQL takes a few statements over arrays, as few for a thousand plans as for two
// hundred. SQLite has no round trips to save.

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
/** Of somebody else. */
let holder: Connection
beforeAll(async () => {
  const url = await freshStore()
  connection = await openConnection({ url, deadlineMs: 10_000 })
  holder = await openConnection({ url, deadlineMs: 10_000 })
}, 60_000)
afterAll(() => {
  connection.destroy('done')
  holder.destroy('done')
})

/** Events with all that they can bring: a key, a profile, a run, messages for a user of whom others know nothing yet. */
function track(number: number): TrackPlan {
  const userId = `u${number}`
  return {
    ...planOf(ids, 1, NOW, userId, 2, { collapseKey: `c${number}` }),
    idempotency: { key: `k${number}`, bodyHash: 'h', expiresAt: NOW + 1000 },
    profile: { userId, change: { attributes: { name: userId } } },
  }
}

/** Statements that a batch sends, its BEGIN and COMMIT included, and how often it waits for what it has sent. */
async function watchBatch(
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
      const answer = connection.query<Row>(...args)
      underWay.add(answer)
      answer.finally(() => underWay.delete(answer)).catch(() => {})
      return answer
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

const countStatements = async (plans: Parameters<typeof runBatch>[1]['plans']) => (await watchBatch(plans)).count

test('five, two hundred and a thousand plans are committed by fewer than twenty statements each', async () => {
  const tracks = (from: number, count: number) => Array.from({ length: count }, (_, at) => track(from + at))
  const [few, many] = [tracks(0, 5), tracks(1000, 200)]
  // The second time their users are known, and their messages are replaced by the newer ones.
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

test('events of known users alone are six statements, and two waits', async () => {
  const plain = () =>
    Array.from({ length: 20 }, (_, at): TrackPlan => ({ ...planOf(ids, 1, NOW, `p${at}`, 1, {}), secretId: 77 }))
  await connection.query(
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (77, 1, 'k', 'h', 0, $1)`,
    [NOW],
  )
  await watchBatch(plain())
  // BEGIN, the key and the heads; all inserts, COMMIT (a node's fence stands before it).
  expect(await watchBatch(plain())).toEqual({ count: 5, waits: 2 })
})

test('where heads and key are remembered nothing is asked: five statements, one wait', async () => {
  const plain = () =>
    Array.from({ length: 20 }, (_, at): TrackPlan => ({ ...planOf(ids, 1, NOW, `m${at}`, 1, {}), secretId: 79 }))
  await connection.query(
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (79, 1, 'k', 'h3', 0, $1)`,
    [NOW],
  )
  const cache = createWriterCache()
  await watchBatch(plain(), cache)
  // BEGIN, the check, the inserts, COMMIT; they are what the next ones go by.
  for (const _ of [1, 2]) expect(await watchBatch(plain(), cache)).toEqual({ count: 4, waits: 1 })
  const [head] = await connection.query<{ seq: number }>(
    `SELECT seq FROM inbox_head JOIN app_user USING (user_no) WHERE user_id = 'm7'`,
  )
  expect(head?.seq).toBe(3)
})

test('a key whose use is to be noted waits for nobody who holds it, and is noted when it is free', async () => {
  const used = async () =>
    (await connection.query<{ at: number }>('SELECT last_used_at AS at FROM secret WHERE id = 78'))[0]?.at
  await connection.query(
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (78, 1, 'k', 'h2', 0, 0)`,
  )
  const plans = () => [{ ...planOf(ids, 1, NOW, 'p1', 1, {}), secretId: 78 }]
  await runTransaction(holder, async (other) => {
    await other.all('SELECT id FROM secret WHERE id = 78 FOR UPDATE')
    await watchBatch(plans())
  })
  expect(await used()).toBe(0)
  await watchBatch(plans())
  expect(await used()).toBe(NOW)
})

test('nor does a new user without a message cost one', async () => {
  const silent = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, at): TrackPlan => ({ ...planOf(ids, 1, NOW, `s${from + at}`, 1, {}), messages: [], runs: [] }),
    )
  const ofFew = await countStatements(silent(0, 5))
  expect(await countStatements(silent(1000, 200))).toBe(ofFew)
})
