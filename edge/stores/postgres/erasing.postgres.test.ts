// Tests erasures on two nodes while both track events and delivery events: no row is left, counters stay correct, and
// no transaction deadlocks.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { freshStore, runSql } from '../../test/support/servers.ts'
import { openPostgresStores, type PostgresStores } from '../postgres.ts'
import { type Given, HOUR, trackPlan, write } from '../test/given.ts'
import { begin, waitOf } from '../test/given-waits.ts'
import { COUNT_ORPHANS, expectOrphansRemoved } from '../test/orphans.ts'

const USERS = 24
const MESSAGES = 80
const AWAITED = 'order.placed'

let url: string
let nodes: [PostgresStores, PostgresStores]
let given: Given
let lastId = 1000
beforeAll(async () => {
  url = await freshStore()
  // A long timeout, so that a busy machine does not count as an outage.
  const open = () => openPostgresStores({ url, clock: systemClock, silenceMs: 20_000 })
  nodes = [await open(), await open()]
  given = {
    stores: nodes[0],
    now: systemClock.now,
    advance: () => {},
    reopen: async () => nodes[0],
    environmentId: () => ++lastId,
    id: () => ++lastId,
  }
})
afterAll(() => Promise.all(nodes.map((node) => node.close())))

const nodeOf = (index: number) => nodes[index % 2] as PostgresStores
const readCount = async (text: string) => Number(await runSql(url, `SELECT ${text}`))
const countDeadlocks = () => readCount('(SELECT deadlocks FROM pg_stat_database WHERE datname = current_database())')
const ORPHANS = `(${COUNT_ORPHANS})`

test('a rebuild removes events without a message, keeps their counts, and corrects the other counters', async () => {
  await expectOrphansRemoved(given, { run: (...texts) => runSql(url, ...texts), count: () => readCount(ORPHANS) })
})

test('users are erased on both nodes during delivery events and tracking: no row is left, counters stay, nothing deadlocks', async () => {
  const environmentId = given.environmentId()
  const campaignId = given.id()
  const userIds = Array.from({ length: USERS }, (_, index) => `u${index}`)
  const plans = Array.from({ length: MESSAGES }, () => trackPlan(given, { environmentId, campaignId, userIds }))
  await Promise.all(plans.map((plan) => write(given, plan)))
  const dueAt = given.now() + HOUR
  await begin(
    given,
    environmentId,
    userIds.map((userId) => waitOf(given, { userId, awaits: AWAITED, dueAt })),
  )
  const messageIds = plans.flatMap(({ messages }) => messages.map(({ id }) => id))
  const before = await countDeadlocks()
  let isOver = false
  let turn = 0
  const report = async (node: PostgresStores) => {
    while (!isOver) {
      // Three messages of different users, so that a batch locks many inboxes.
      const items = [0, 1, 2].map((place) => {
        const messageId = messageIds[(turn * 7919 + place * 613) % messageIds.length] ?? 0
        const eventType = (['read', 'opened', 'clicked'] as const)[turn % 3] ?? 'read'
        return { messageId, eventType, occurredAt: given.now(), automated: false, source: 'api', link: null }
      })
      turn++
      await node.commit.deliver({ kind: 'deliver', environmentId, userNo: null, now: given.now(), items })
    }
  }
  const track = async (node: PostgresStores) => {
    while (!isOver) {
      const options = { environmentId, campaignId, userIds: [turn, turn + 5, turn + 11].map((at) => `u${at % USERS}`) }
      const plan = trackPlan(given, options)
      // Users that are not erased yet have a run that waits for it. Its lock precedes the locks of inboxes.
      await node.commit.track({
        ...plan,
        awaitedEvent: { name: AWAITED, userIds: options.userIds, eventId: plan.event?.id ?? 0 },
      })
    }
  }
  const load = nodes.flatMap((node) => [report(node), report(node), report(node), track(node), track(node)])
  const erased = userIds.map((userId, index) => nodeOf(index).users.erase(environmentId, userId, given.now()))
  await Promise.all(erased)
  isOver = true
  await Promise.all(load)
  expect(await readCount(ORPHANS)).toBe(0)
  for (const [index, userId] of userIds.entries())
    await nodeOf(index).users.erase(environmentId, userId, given.now() + 1)
  expect(await readCount(`(SELECT COUNT(*) FROM message WHERE environment_id = ${environmentId})`)).toBe(0)
  expect((await nodes[0].funnels.rebuild()).differed).toBe(0)
  expect(await readCount('(SELECT COUNT(*) FROM run_wait)')).toBe(0)
  // A connection reports its statistics at the latest when it ends.
  await Promise.all(nodes.map((node) => node.close()))
  expect((await countDeadlocks()) - before).toBe(0)
})
