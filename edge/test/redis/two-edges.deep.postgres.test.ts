// Tests two edges on one PostgreSQL while their Redis fails and returns. PostgreSQL alone: SQLite has one node.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEdge, startEdge } from '../../serve.ts'
import { type GivenEdge, givenEdge, inboxCampaign, ON_BUSY_MACHINES } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { startRedis } from '../support/servers.ts'
import { type Watcher, watchInbox } from '../support/watcher.ts'
import { runningNow, within } from '../support/within.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
let first: GivenEdge
let second: RunningEdge
let dataDir: string
const open: Watcher[] = []
beforeAll(async () => {
  redis = await startRedis()
  first = await givenEdge({ REDIS_URL: redis.url })
  dataDir = await mkdtemp(join(tmpdir(), 'edge-second-'))
  const settings = { ...first.settings, PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'false', LOG_LEVEL: 'silent' }
  second = await startEdge(settings, ON_BUSY_MACHINES)
  await first.publish(inboxCampaign('tell', 'message.sent'))
})
afterAll(async () => {
  for (const watcher of open) watcher.close()
  await second?.close()
  await first?.stop()
  await redis?.remove()
  await rm(dataDir, { recursive: true, force: true })
})

/** Both nodes stay ready without Redis, and say so. */
const readiness = () =>
  Promise.all(
    [first.url, second.url].map(async (url) => {
      const answer = await fetch(`${url}/readyz`)
      const { details = [] } = (await answer.json()) as { details?: { path: string }[] }
      return [answer.status, ...details.map(({ path }) => path)].join(' ')
    }),
  )
const seqOf = (watcher: Watcher) => watcher.head().seq
const inboxAt = async (url: string, token: string) =>
  (await fetch(`${url}/v1/inbox/messages`, { headers: { authorization: `Bearer ${token}` } })).status
const trackAt = async (url: string, key: string) =>
  (
    await fetch(`${url}/v1/events/track`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sdkSecretKey: key, name: 'no.campaign', userId: 'x' }),
    })
  ).status

async function watchAt(url: string, userId: string): Promise<Watcher> {
  const session = await first.signIn(userId)
  const watcher = watchInbox(url, userId, session)
  open.push(watcher)
  await within(20_000, () => expect(watcher.isConnected()).toBe(true))
  return watcher
}

async function trackEvent(userId: string): Promise<void> {
  const startedAt = runningNow()
  expect((await first.track({ name: 'message.sent', userId, properties: { name: userId } })).status).toBe(202)
  expect(runningNow() - startedAt).toBeLessThan(1500)
}

test('during an outage of Redis every event is acknowledged, and all clients catch up within 5 s of its end', async () => {
  await within(5000, async () => expect(await readiness()).toEqual(['200', '200']))
  const [sameNode, otherNode] = [await watchAt(first.url, 'ann'), await watchAt(second.url, 'ann')]
  await trackEvent('ann')
  await within(2000, () => expect([seqOf(sameNode), seqOf(otherNode)]).toEqual([1, 1]))

  await redis.kill()
  await within(3000, async () => expect(await readiness()).toEqual(['200 redis', '200 redis']))
  expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
  await trackEvent('ann')
  await within(1000, () => expect(seqOf(sameNode)).toBe(2))
  await within(5000, () => expect(seqOf(otherNode)).toBe(2))

  await trackEvent('ann')
  await redis.restart()
  await within(5000, async () => expect(await readiness()).toEqual(['200', '200']))
  await within(5000, () => expect(seqOf(otherNode)).toBe(3))
  await trackEvent('ann')
  await within(1000, () => expect(seqOf(otherNode)).toBe(4))
})

test('without Redis a session and a key end on the other node within a second', async () => {
  const session = await first.signIn('bob')
  expect(await inboxAt(second.url, session.sessionToken)).toBe(200)
  const { sdkSecretKey } = first.demo.environments.prod
  expect(await trackAt(second.url, sdkSecretKey)).toBe(202)
  await redis.kill()
  await within(3000, async () => expect(await readiness()).toEqual(['200 redis', '200 redis']))

  expect((await first.call('DELETE', '/v1/inbox/session', { session })).status).toBe(200)
  await within(1000, async () => expect(await inboxAt(second.url, session.sessionToken)).toBe(401))
  const { nc } = givenNc(first.settings)
  const result = await nc(`secret emergency --env ${first.demo.environments.prod.id} --kind sdkSecretKey --yes`)
  expect(result).toMatchObject({ code: 0 })
  await within(1000, async () => expect(await trackAt(second.url, sdkSecretKey)).toBe(403))
})
