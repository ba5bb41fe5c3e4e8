// Tests quiet hours on three nodes: mails that wait for their end are sent once, by nodes that started later.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { buildEdge } from '../support/edge-process.ts'
import { inboxCampaign } from '../support/given.ts'
import { type GivenCluster, givenCluster } from '../support/given-cluster.ts'
import { createRawClient } from '../support/raw-client.ts'
import { within } from '../support/within.ts'

const USERS = 12
const MINUTE_MS = 60_000
/** Nodes restart in less. */
const LEAST_MS = 40_000

const client = createRawClient()
let cluster: GivenCluster
beforeAll(async () => {
  await buildEdge()
  cluster = await givenCluster()
})
afterAll(async () => {
  client.close()
  await cluster?.close()
})

const dev = () => cluster.demo.environments.dev
async function ask<T>(at: number, method: string, path: string, key: string, body?: object): Promise<T> {
  const url = cluster.nodeUrls[at % cluster.nodeUrls.length] as string
  const answer = await client.ask(url, method, path, { key, ...(body && { body }) })
  expect(answer.status).toBeLessThan(300)
  return answer.body as T
}

/** A user whose quiet hours began an hour ago. */
async function givenSleeper(at: number, end: Date): Promise<string> {
  const userId = `sleeper-${at}`
  const { frontApiKey, authSecretKey, sdkSecretKey } = dev()
  await ask(at, 'PUT', `/v1/users/${userId}`, sdkSecretKey, { email: `${userId}@example.org` })
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  const { sessionToken } = await ask<AuthAnswer>(at, 'POST', '/v1/users/auth', '', {
    apiKey: frontApiKey,
    userId,
    token,
  })
  const textOf = (time: number) => new Date(time).toISOString().slice(11, 16)
  const quietHours = { start: textOf(end.getTime() - 60 * MINUTE_MS), end: textOf(end.getTime()), timeZone: 'UTC' }
  await ask(at, 'PUT', '/v1/inbox/preferences', sessionToken, { quietHours })
  return userId
}

interface Detail {
  messageId: string
  status: string
  statusReason: string | null
  nextAttemptAt: string | null
  attemptLog: { at: string; outcome: string }[]
  timeline: { eventType: string }[]
}

/** Tracks an event at a node. @returns a reader of the record of its mail, at any node */
async function send(at: number, userId: string): Promise<(from: number) => Promise<Detail>> {
  const key = dev().sdkSecretKey
  const body = { sdkSecretKey: key, name: 'night.done', userId }
  const { eventId } = await ask<{ eventId: string }>(at, 'POST', '/v1/events/track', key, body)
  return async (from) => {
    const path = `/v1/deliveries?eventId=${eventId}&channel=email`
    const { data } = await ask<{ data: Detail[] }>(from, 'GET', path, key)
    return ask<Detail>(from, 'GET', `/v1/deliveries/${data[0]?.messageId}`, key)
  }
}

test('mails that wait for the end of quiet hours are sent once, by nodes that started meanwhile', async () => {
  const key = dev().sdkSecretKey
  const mail = { id: 'mail', type: 'email', subject: 'Hello', markdown: 'Hello' }
  const { id } = await ask<{ id: string }>(
    0,
    'POST',
    '/v1/campaigns',
    key,
    inboxCampaign('night', 'night.done', { steps: [mail] }),
  )
  await ask(0, 'POST', `/v1/campaigns/${id}/publish`, key)
  // Within a second every node knows the campaign.
  await within(1000, async () => {
    for (const at of [0, 1, 2]) {
      const probe = await send(at, `probe-${at}`)
      expect((await probe(at)).status).toBeTypeOf('string')
    }
  })
  const end = new Date(Math.ceil((Date.now() + LEAST_MS) / MINUTE_MS) * MINUTE_MS)
  const readers = await Promise.all(
    Array.from({ length: USERS }, async (_, at) => send(at, await givenSleeper(at, end))),
  )
  const readAll = () => Promise.all(readers.map((read, at) => read(at + 1)))
  const waiting = { status: 'queued', statusReason: 'quiet-hours', nextAttemptAt: end.toISOString(), attemptLog: [] }
  await expect.poll(readAll).toMatchObject(readers.map(() => waiting))

  await cluster.restartInTurn()
  expect(Date.now()).toBeLessThan(end.getTime())
  expect(await readAll()).toMatchObject(readers.map(() => waiting))
  await expect
    .poll(async () => (await readAll()).filter(({ status }) => status === 'sent').length, { timeout: 3 * MINUTE_MS })
    .toBe(USERS)
  for (const { attemptLog, timeline } of await readAll()) {
    expect(attemptLog.map(({ outcome }) => outcome)).toEqual(['accepted'])
    expect(new Date(attemptLog[0]?.at ?? 0).getTime()).toBeGreaterThanOrEqual(end.getTime())
    expect(timeline.filter(({ eventType }) => eventType === 'send')).toHaveLength(1)
  }
})
