// A group commit on PostgreSQL is a few statements over arrays: as many for two hundred plans as for five (issue part 3, item 1).
// PostgreSQL alone: on SQLite a statement costs no way to another process.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TrackPlan } from '../../domain/plan.ts'
import { createIdSource } from '../../lib/id.ts'
import { freshStore } from '../../test/support/servers.ts'
import { planOf } from '../../test/support/track-plan.ts'
import { runBatch } from '../sql/commit/run-batch.ts'
import { createUserNumbers } from '../sql/commit/user-numbers.ts'
import { type Link, openLink } from './link.ts'
import { runTransaction } from './transaction.ts'

const NOW = Date.UTC(2026, 5, 1)
const clock = { now: () => NOW }
const ids = { event: createIdSource(clock), run: createIdSource(clock), message: createIdSource(clock) }
const users = createUserNumbers()
let link: Link
beforeAll(async () => {
  link = await openLink({ url: await freshStore(), deadlineMs: 10_000 })
}, 60_000)
afterAll(() => link.destroy('done'))

/** Events with all that they can bring: a key, a profile, a run, messages for a user of whom others know nothing yet. */
function track(number: number): TrackPlan {
  const userId = `u${number}`
  return {
    ...planOf(ids, 1, NOW, userId, 2, { collapseKey: `c${number}` }),
    idempotency: { key: `k${number}`, bodyHash: 'h', expiresAt: NOW + 1000 },
    profile: { userId, change: { attributes: { name: userId } } },
  }
}

/** Statements that a batch sends, its BEGIN and COMMIT included; and the users of its plans. */
async function countStatements(plans: Parameters<typeof runBatch>[1]['plans']): Promise<number> {
  let count = 0
  const counted: Link = {
    ...link,
    query: (...args: Parameters<Link['query']>) => {
      count += 1
      return link.query(...args)
    },
  }
  const context = { slot: 0, storeEpoch: 'e', users, keySweep: { nextAt: NOW * 2 } }
  const engine = { transaction: <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(counted, work) }
  const result = await runBatch({ engine, context, isStoreFault: () => false }, { writes: [], plans, now: NOW })
  for (const settled of result.plans) expect(settled).toHaveProperty('value')
  return count
}

test('two hundred plans are committed by as many statements as five', async () => {
  const tracks = (from: number, count: number) => Array.from({ length: count }, (_, at) => track(from + at))
  const [few, many] = [tracks(0, 5), tracks(1000, 200)]
  const ofFew = await countStatements(few)
  expect(await countStatements(many)).toBe(ofFew)
  // Their users are known by now, and their messages are replaced by the newer ones.
  const again = await countStatements(tracks(0, 5))
  expect(await countStatements(tracks(1000, 200))).toBe(again)
  expect(Math.max(ofFew, again)).toBeLessThan(20)

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
  expect(await countStatements(many.map(read))).toBe(await countStatements(few.map(read)))
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
