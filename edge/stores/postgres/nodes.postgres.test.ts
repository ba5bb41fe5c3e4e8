// Tests two nodes on one database: keys, positions, profiles, counters and erasures are decided once.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '../../domain/environment.ts'
import { createManageUsers } from '../../flow/users/manage-users.ts'
import { systemClock } from '../../lib/clock.ts'
import { freshStore, runSql } from '../../test/support/servers.ts'
import { openPostgresStores, type PostgresStores } from '../postgres.ts'
import { type Given, trackPlan } from '../test/given.ts'

let url: string
let nodes: [PostgresStores, PostgresStores]
let lastId = 1000
/** Creates plans; each test names the node that commits them. */
let given: Given
beforeAll(async () => {
  url = await freshStore()
  nodes = [await openPostgresStores({ url, clock: systemClock }), await openPostgresStores({ url, clock: systemClock })]
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

test('of two plans with one key on two nodes, one is written and the other is a duplicate', async () => {
  const environmentId = given.environmentId()
  const keys = Array.from({ length: 60 }, (_, index) => `k${index}`)
  const outcomes = await Promise.all(
    [...keys, ...keys.toReversed()].map((key, index) => {
      const plan = trackPlan(given, { environmentId, userIds: ['u1'], idempotency: { key, bodyHash: 'h' } })
      return nodeOf(index < keys.length ? 0 : 1).commit.track(plan)
    }),
  )
  const results = outcomes.map(({ result }) => result)
  expect(results.filter((result) => result === 'written')).toHaveLength(keys.length)
  expect(results.filter((result) => result === 'duplicate')).toHaveLength(keys.length)
  expect((await nodes[0].events.list(environmentId, {}, null, 200)).events.length).toBe(keys.length)
})

test('inbox positions of users to whom two nodes write have no gap and no repeat', async () => {
  const environmentId = given.environmentId()
  const campaignId = given.id()
  const users = ['a', 'b', 'c']
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const userIds = index % 2 === 0 ? users : users.toReversed()
      return nodeOf(index >> 1).commit.track(trackPlan(given, { environmentId, campaignId, userIds }))
    }),
  )
  const seqs = new Map<number, number[]>()
  for (const outcome of outcomes) {
    if (outcome.result !== 'written') throw new Error(outcome.result)
    for (const { userNo, changes } of outcome.pushes) {
      seqs.set(userNo, [...(seqs.get(userNo) ?? []), ...changes.map(({ seq }) => seq)])
    }
  }
  expect(seqs.size).toBe(users.length)
  for (const [userNo, own] of seqs) {
    expect(own.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(await nodes[0].inboxes.head({ environmentId, userNo })).toMatchObject({
      seq: 200,
      unread: 200,
      unopened: 200,
    })
  }
  // Each node counts in its own rows; a read sums both.
  expect(await nodes[1].funnels.slices(environmentId, campaignId, 'inbox', null)).toMatchObject([{ delivery: 600 }])
  expect((await nodes[1].funnels.rebuild()).differed).toBe(0)
})

test('retention by two nodes beside reports removes each message once, and every counter stays exact', async () => {
  const environmentId = given.environmentId()
  const campaignId = given.id()
  const userIds = ['a', 'b', 'c', 'd', 'e']
  const plans = Array.from({ length: 200 }, () => trackPlan(given, { environmentId, campaignId, userIds }))
  const outcomes = await Promise.all(plans.map((plan, index) => nodeOf(index).commit.track(plan)))
  const pushes = outcomes.flatMap((outcome) => (outcome.result === 'written' ? outcome.pushes : []))
  const before = systemClock.now() + 1
  const purge = async (node: PostgresStores) => {
    for (;;) {
      const step = await node.retention.purgeStep(environmentId, before)
      if (step.rows === 0) return
      pushes.push(...step.pushes)
    }
  }
  const reports = plans.flatMap(({ messages }, index) =>
    messages.map(({ id: messageId }) => {
      const item = { messageId, eventType: 'read' as const, occurredAt: before, ...BY_WIDGET }
      const deliver = { kind: 'deliver' as const, environmentId, userNo: null, now: before, items: [item] }
      return nodeOf(index).commit.deliver(deliver)
    }),
  )
  const reported = await Promise.all([...reports, purge(nodes[0]).then(() => []), purge(nodes[1]).then(() => [])])
  await purge(nodes[0])

  pushes.push(...reported.flatMap((outcome) => ('pushes' in outcome ? outcome.pushes : [])))
  const removed = pushes.flatMap(({ changes }) =>
    changes.flatMap(({ op, messageId }) => (op === 'remove' ? messageId : [])),
  )
  expect(removed.sort((a, b) => a - b)).toEqual(
    plans.flatMap(({ messages }) => messages.map(({ id }) => id)).sort((a, b) => a - b),
  )
  for (const userNo of new Set(pushes.map((push) => push.userNo))) {
    const seqs = pushes.flatMap((push) => (push.userNo === userNo ? push.changes.map(({ seq }) => seq) : []))
    expect(seqs.sort((a, b) => a - b)).toEqual(seqs.map((_, index) => index + 1))
    expect(await nodes[0].inboxes.head({ environmentId, userNo })).toMatchObject({
      seq: seqs.length,
      unread: 0,
      unopened: 0,
    })
  }
  expect((await nodes[0].events.list(environmentId, {}, null, 10)).events).toEqual([])
  expect(await nodes[0].funnels.slices(environmentId, campaignId, 'inbox', null)).toMatchObject([{ delivery: 1000 }])
  expect((await nodes[1].funnels.rebuild()).differed).toBe(0)
})

const BY_WIDGET = { automated: false, source: 'widget', link: null }

test('cached positions and keys of a node have no effect once another node has changed them', async () => {
  const environmentId = given.environmentId()
  const secretId = given.id()
  const at = systemClock.now()
  const hash = `cached ${secretId}`
  await runSql(
    url,
    `INSERT INTO secret (id, environment_id, kind, hash, created_at, last_used_at) VALUES (${secretId}, ${environmentId}, 'k', '${hash}', ${at}, ${at})`,
  )
  const track = async (node: PostgresStores) => {
    const outcome = await node.commit.track({ ...trackPlan(given, { environmentId, userIds: ['u1'] }), secretId })
    return outcome.result === 'written' ? outcome.pushes.flatMap(({ from, seq }) => [from, seq]) : outcome.result
  }
  expect(await track(nodes[0])).toEqual([0, 1])
  expect(await track(nodes[0])).toEqual([1, 2])
  expect(await track(nodes[1])).toEqual([2, 3])
  // The first node has two messages in its cache, and reads the position again.
  expect(await track(nodes[0])).toEqual([3, 4])
  // After a wrong cache it is not used for some batches; these are more.
  for (let seq = 4; seq < 30; seq++) expect(await track(nodes[0])).toEqual([seq, seq + 1])
  await nodes[1].secrets.retire(environmentId, secretId, systemClock.now())
  expect(await track(nodes[0])).toBe('revoked')
})

test('a profile that two nodes change at once keeps both changes', async () => {
  const environmentId = given.environmentId()
  const names = Array.from({ length: 40 }, (_, index) => `field${index}`)
  await Promise.all(
    names.map((name, index) => {
      const profile = { userId: 'u1', change: { attributes: { [name]: index } } }
      return nodeOf(index).commit.track({ ...trackPlan(given, { environmentId }), profile })
    }),
  )
  const user = await nodes[0].users.find(environmentId, 'u1')
  expect(Object.keys(user?.attributes ?? {}).sort()).toEqual(names.sort())
})

test('after one node erases a user, the node with the cached number creates a new user', async () => {
  const environmentId = given.environmentId()
  const track = (node: PostgresStores) => node.commit.track(trackPlan(given, { environmentId, userIds: ['u1'] }))
  expect((await track(nodes[0])).result).toBe('written')
  const before = await nodes[0].users.find(environmentId, 'u1')
  expect(await nodes[1].users.erase(environmentId, 'u1', systemClock.now())).toBe(true)
  expect((await track(nodes[0])).result).toBe('written')
  const after = await nodes[1].users.find(environmentId, 'u1')
  expect(after?.userNo).toBeGreaterThan(before?.userNo ?? 0)
  expect(await nodes[1].inboxes.head({ environmentId, userNo: after?.userNo ?? 0 })).toMatchObject({ seq: 1 })
})

test('after one node removes the rows of an environment, the node with a cached number uses it no more', async () => {
  const environmentId = given.environmentId()
  // A plan of a job or of a run has no key that could be refused.
  const track = () => nodes[0].commit.track({ ...trackPlan(given, { environmentId, userIds: ['u1'] }), secretId: null })
  expect((await track()).result).toBe('written')
  const before = await nodes[0].users.find(environmentId, 'u1')
  await runSql(url, `INSERT INTO environment_erasure (environment_id, begun_at) VALUES (${environmentId}, 1)`)
  while ((await nodes[1].environments.eraseStep(environmentId, 1)) === 'more');
  expect((await track()).result).toBe('written')
  expect((await nodes[0].users.find(environmentId, 'u1'))?.userNo).toBeGreaterThan(before?.userNo ?? 0)
})

test('a node that lost its connections during an erasure does not use the cached number of that user', async () => {
  const environmentId = given.environmentId()
  const [caching, erasing] = nodes
  await caching.commit.track(trackPlan(given, { environmentId, userIds: ['u1'] }))
  const before = await caching.users.find(environmentId, 'u1')
  await erasing.users.erase(environmentId, 'u1', systemClock.now())
  // Both have new connections before either writes again.
  const cut =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  await runSql(url, cut)
  for (const node of nodes)
    await expect
      .poll(
        () =>
          node.ping().then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
  // As at a sign-in, where the user was not found and the writer creates it.
  const after = await caching.users.upsert(environmentId, 'u1', {}, systemClock.now())
  expect(after.userNo).toBeGreaterThan(before?.userNo ?? 0)
})

test('users are erased on one node while the other writes to them, and nothing of the erased users is left', async () => {
  const environmentId = given.environmentId()
  let isOver = false
  const writing = (async () => {
    const results = new Set<string>()
    while (!isOver)
      results.add((await nodes[0].commit.track(trackPlan(given, { environmentId, userIds: ['u1'] }))).result)
    return results
  })()
  for (let round = 0; round < 15; round++) await nodes[1].users.erase(environmentId, 'u1', systemClock.now())
  isOver = true
  expect([...(await writing)]).toEqual(['written'])
  await nodes[1].users.erase(environmentId, 'u1', systemClock.now() + 1)
  expect(await nodes[0].users.find(environmentId, 'u1')).toBeUndefined()
  expect(await nodes[0].deliveries.step(environmentId, {}, null, 10)).toMatchObject({ records: [] })
  expect((await nodes[0].events.list(environmentId, { userId: 'u1' }, null, 10)).events).toEqual([])
})

/** Writes the state after the first transaction of an erasure, as a node leaves it that crashes then. */
async function beginErasure(environmentId: number, userId: string, begunAt: number): Promise<void> {
  const user = `FROM app_user WHERE environment_id = ${environmentId} AND user_id = '${userId}'`
  const columns = 'user_no, environment_id, user_id'
  await runSql(
    url,
    `INSERT INTO erasure (${columns}, begun_at) SELECT ${columns}, ${begunAt} ${user}`,
    `DELETE ${user}`,
  )
}

test('an interrupted erasure is finished by another node, and by a repeated request', async () => {
  const environmentId = given.environmentId()
  const left = async () =>
    (await nodes[0].events.list(environmentId, {}, null, 10)).events.map(({ userId }) => userId).sort()
  for (const userId of ['u1', 'u2', 'u3'])
    await nodes[0].commit.track(trackPlan(given, { environmentId, userIds: [userId] }))
  const begunAt = systemClock.now() + 1
  for (const userId of ['u1', 'u2']) await beginErasure(environmentId, userId, begunAt)
  await nodes[1].users.finishErasures(begunAt)
  expect(await left()).toHaveLength(3)
  const users = createManageUsers({
    ...nodes[1],
    endSessionsOfUser: async () => 0,
    sweepMailFiles: async () => {},
    clock: systemClock,
  })
  const BY = { actor: 'cli', who: 'test' } as const
  const environment = { id: environmentId } as Environment
  expect(await users.erase(environment, 'u1', BY)).toEqual({ deleted: true })
  expect(await left()).toEqual(['u2', 'u3'])
  await expect(users.erase(environment, 'u1', BY)).rejects.toMatchObject({ code: 'user/not-found' })
  await nodes[1].users.finishErasures(begunAt + 1)
  expect(await left()).toEqual(['u3'])
})

test('a node whose clock is behind claims work when it is due by the database, and again after the end of its lease', async () => {
  const behind = { now: () => systemClock.now() - 3_600_000 }
  const node = await openPostgresStores({ url, clock: behind })
  const environmentId = given.environmentId()
  const runAt = given.now()
  const job = { id: given.id(), environmentId, kind: 'late', payload: '{}', runAt, createdAt: runAt }
  await nodes[0].commit.track({ ...trackPlan(given, { environmentId }), jobs: [job] })
  const claim = () => node.jobs.claim(behind.now(), 50, 10, ['late'])
  try {
    expect(await claim()).toMatchObject([{ id: job.id, attempts: 1 }])
    await expect.poll(claim).toMatchObject([{ id: job.id, attempts: 2 }])
  } finally {
    await node.close()
  }
})

test('the time until the next work is due uses the clock of the database, not of the node', async () => {
  const environmentId = given.environmentId()
  const runAt = given.now() + 600_000
  const job = { id: given.id(), environmentId, kind: 'coming', payload: '{}', runAt, createdAt: given.now() }
  await nodes[0].commit.track({ ...trackPlan(given, { environmentId }), jobs: [job] })
  for (const skewMs of [-3_600_000, 3_600_000]) {
    const inMs = await nodes[0].jobs.nextDueInMs(systemClock.now() + skewMs, ['coming'])
    expect(inMs).toBeGreaterThan(500_000)
    expect(inMs).toBeLessThanOrEqual(600_000)
  }
})
