// Tests that a change on one node applies to all: frames at once, keys and sessions within a second.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { buildEdge } from '../support/edge-process.ts'
import { inboxCampaign } from '../support/given.ts'
import { type GivenCluster, givenCluster } from '../support/given-cluster.ts'
import { givenNc } from '../support/given-nc.ts'
import { createRawClient } from '../support/raw-client.ts'
import { reportCounts } from '../support/report-counts.ts'
import { type Watcher, watchInbox } from '../support/watcher.ts'
import { within } from '../support/within.ts'

const client = createRawClient()
const open: Watcher[] = []
let cluster: GivenCluster
beforeAll(async () => {
  await buildEdge()
  cluster = await givenCluster()
})
afterAll(async () => {
  for (const watcher of open) watcher.close()
  client.close()
  await cluster?.close()
})

const SECOND_MS = 1000
const dev = () => cluster.demo.environments.dev
const nodeAt = (at: number) => cluster.nodeUrls[at] as string
const ask = (at: number, method: string, path: string, key: string, body?: object) =>
  client.ask(nodeAt(at), method, path, { key, ...(body === undefined ? {} : { body }) })
const track = (at: number, name: string, userId: string, key = dev().sdkSecretKey) =>
  ask(at, 'POST', '/v1/events/track', key, { sdkSecretKey: key, name, userId, properties: { name: userId } })

async function signIn(at: number, userId: string): Promise<AuthAnswer> {
  const { frontApiKey, authSecretKey } = dev()
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  return (await ask(at, 'POST', '/v1/users/auth', '', { apiKey: frontApiKey, userId, token })).body as AuthAnswer
}

async function watch(at: number, userId: string): Promise<{ watcher: Watcher; session: AuthAnswer }> {
  const session = await signIn(at, userId)
  const watcher = watchInbox(nodeAt(at), userId, session)
  open.push(watcher)
  await expect.poll(watcher.isConnected).toBe(true)
  return { watcher, session }
}

/** Returns the status of the same call on each node. */
const statusOnEach = (call: (at: number) => Promise<{ status: number }>) =>
  Promise.all(cluster.nodeUrls.map(async (_, at) => (await call(at)).status))

test('a campaign that is published on one node runs on all, and its message reaches the user on another node', async () => {
  // Repeated until the message arrives; late copies of it are not counted.
  const early = (await watch(0, 'early')).watcher
  const { watcher } = await watch(0, 'across')
  const created = await ask(1, 'POST', '/v1/campaigns', dev().sdkSecretKey, inboxCampaign('across', 'node.crossed'))
  const { id } = created.body as { id: string }
  expect((await ask(1, 'POST', `/v1/campaigns/${id}/publish`, dev().sdkSecretKey)).status).toBe(200)
  const durationsMs: number[] = []
  for (let n = 0; n < 30; n += 1) {
    const startedAt = performance.now()
    // Uses each node in turn, also the one with the socket. Within a second every node knows the campaign.
    if (n < 3) await within(SECOND_MS, async () => expect((await track(n, 'node.crossed', 'probe')).status).toBe(202))
    if (n < 3) {
      const before = early.added().length
      await within(SECOND_MS, async () => {
        await track(n, 'node.crossed', 'early')
        expect(early.added().length).toBeGreaterThan(before)
      })
      continue
    }
    const added = watcher.added().length
    await track(1 + (n % 2), 'node.crossed', 'across')
    await expect.poll(() => watcher.added().length, { interval: 1 }).toBe(added + 1)
    durationsMs.push(performance.now() - startedAt)
  }
  expect(watcher.catchUps()).toEqual({ syncs: 0, resets: 0 })
  durationsMs.sort((a, b) => a - b)
  reportCounts('call on one node to frame on another', {
    calls: durationsMs.length,
    medianMs: Math.round(durationsMs[Math.floor(durationsMs.length / 2)] ?? 0),
  })
})

test('nodes count one doubt together, and each shows the whole count', async () => {
  const name = 'order.shiped'
  const calls = [0, 1, 2, 0, 1, 0]
  const answers = await Promise.all(calls.map((at) => track(at, name, `doubted-${at}`)))
  expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 202))
  const list = async (at: number) => {
    const { body } = await ask(at, 'GET', `/v1/doubts?subjectType=event&subjectId=${name}`, dev().sdkSecretKey)
    return (body as { data: { kind: string; count: number }[] }).data
  }
  for (const at of [0, 1, 2]) {
    await expect.poll(() => list(at)).toMatchObject([{ kind: 'unheard-event', count: calls.length }])
  }
  const nc = givenNc(cluster.env)
  expect(await nc.json(`doubts --env ${dev().id} --kind unheard-event`)).toContainEqual(
    expect.objectContaining({ subject: { type: 'event', id: name }, count: calls.length }),
  )
})

test('an emergency of the tracking key by the command line is effective on all nodes within a second', async () => {
  const old = dev().sdkSecretKey
  expect(await statusOnEach((at) => track(at, 'key.tried', 'u', old))).toEqual([202, 202, 202])
  const nc = givenNc(cluster.env)
  const { value } = await nc.json<{ value: string }>(`secret emergency --env ${dev().id} --kind sdkSecretKey --yes`)
  const startedAt = performance.now()
  await within(SECOND_MS, async () =>
    expect(await statusOnEach((at) => track(at, 'key.tried', 'u', old))).toEqual([403, 403, 403]),
  )
  await within(SECOND_MS, async () =>
    expect(await statusOnEach((at) => track(at, 'key.tried', 'u', value))).toEqual([202, 202, 202]),
  )
  reportCounts('emergency in effect on 3 nodes', { ms: Math.round(performance.now() - startedAt) })
  dev().sdkSecretKey = value
})

test('a retired auth secret ends its sessions, and no others, on all nodes within a second', async () => {
  const before = await watch(2, 'retired')
  const nc = givenNc(cluster.env)
  const { value } = await nc.json<{ value: string }>(`secret rotate --env ${dev().id} --kind authSecretKey`)
  const read = (session: AuthAnswer) => (at: number) => ask(at, 'GET', '/v1/inbox/messages', session.sessionToken)
  expect(await statusOnEach(read(before.session))).toEqual([200, 200, 200])
  dev().authSecretKey = value
  // During the overlap, the new value is valid on every node at once.
  let after: AuthAnswer | undefined
  for (const at of [0, 1, 2]) {
    await within(SECOND_MS, async () => {
      after = await signIn(at, 'stays')
      expect(after.sessionToken).toBeTypeOf('string')
    })
  }
  await nc.json(`secret retire --env ${dev().id} --kind authSecretKey --yes`)
  await within(SECOND_MS, async () => expect(await statusOnEach(read(before.session))).toEqual([401, 401, 401]))
  await within(SECOND_MS, async () => expect(before.watcher.isConnected()).toBe(false))
  expect(await statusOnEach(read(after as AuthAnswer))).toEqual([200, 200, 200])
})

test('a sign-out on one node ends the session on all nodes and its socket on another', async () => {
  const { watcher, session } = await watch(0, 'leaves')
  expect((await ask(1, 'POST', '/v1/users/leaves/sign-out', dev().sdkSecretKey)).status).toBe(200)
  const read = (at: number) => ask(at, 'GET', '/v1/inbox/messages', session.sessionToken)
  await within(SECOND_MS, async () => expect(await statusOnEach(read)).toEqual([401, 401, 401]))
  await within(SECOND_MS, async () => expect(watcher.isConnected()).toBe(false))
})
