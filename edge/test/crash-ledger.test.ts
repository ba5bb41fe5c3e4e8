// kill -9 twenty times under load: nothing that was answered 202 is lost, and nothing is doubled (issue, "Bad input").

import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, FunnelAnswer, InboxMessage, InboxPage, Page } from '../../contract/api.ts'
import type { DemoFile } from '../flow/seed-demo.ts'
import { createCrashLoad } from './support/crash-load.ts'
import { buildEdge, type EdgeProcess, rebuildStats, startEdgeProcess } from './support/edge-process.ts'
import { compareMarks, createRandom, expectedMarks } from './support/ledger.ts'

const KILLS = 20
const SEED = Number(process.env.CRASH_SEED ?? 20)
const USERS = Array.from({ length: 60 }, (_, at) => `crash_${at}`)
const NONE = { lost: [], doubled: [], phantom: [] }

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
let edge: EdgeProcess | undefined
beforeAll(buildEdge, 120_000)
afterAll(async () => {
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

type Dev = DemoFile['environments']['dev']

async function call<T>(method: string, path: string, credential: string, body?: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  const answer = await fetch((edge as EdgeProcess).url + path, init)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function publishCampaign(key: string): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/v1/campaigns', key, {
    key: 'crash',
    name: 'Crash',
    trigger: { event: 'crash.tracked' },
    steps: [{ id: 'tell', type: 'inbox', title: 'Event {{ event.properties.number }}' }],
  })
  await call('POST', `/v1/campaigns/${id}/publish`, key, {})
  return id
}

function signIn({ frontApiKey, authSecretKey }: Dev, userId: string): Promise<AuthAnswer> {
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  return call('POST', '/v1/users/auth', '', { apiKey: frontApiKey, userId, token })
}

async function readAll<T>(path: string, credential: string): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '?limit=100' : `?limit=100&cursor=${encodeURIComponent(cursor)}`
    const page: Page<T> = await call<Page<T>>('GET', path + query, credential)
    all.push(...page.data)
    cursor = page.nextCursor
  }
  return all
}

const numberOf = ({ title }: InboxMessage) => title.replace('Event ', '')

test(`${KILLS} kills under load lose nothing and double nothing (seed ${SEED})`, async () => {
  const random = createRandom(SEED)
  edge = await startEdgeProcess(dataDir)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const { dev } = demo.environments
  const campaignId = await publishCampaign(dev.sdkSecretKey)
  const sessions = new Map<string, string>()
  for (const userId of USERS) sessions.set(userId, (await signIn(dev, userId)).sessionToken)

  const clickables: { token: string; messageId: string }[] = []
  const { sdkSecretKey } = dev
  const load = createCrashLoad({ sdkSecretKey, random, userIds: USERS, clickable: () => clickables.pop() })
  for (let kill = 0; kill < KILLS; kill += 1) {
    const user = USERS[Math.floor(random() * USERS.length)] as string
    const token = sessions.get(user) as string
    const { data } = await call<InboxPage>('GET', '/v1/inbox/messages?limit=50', token)
    clickables.push(...data.filter(({ clickedAt }) => clickedAt === null).map(({ id }) => ({ token, messageId: id })))
    let isKilled = false
    const running = load.run(edge.url, () => isKilled)
    await new Promise((resolve) => setTimeout(resolve, 50 + random() * 700))
    await edge.kill()
    isKilled = true
    await running
    clickables.length = 0
    edge = await startEdgeProcess(dataDir)
    expect(await load.settle(edge.url)).toBe(0)
  }

  // Fan-outs go on after the last start: wait for their number, then compare all of it.
  const expected = expectedMarks(load.ledger.values())
  const delivered = async () => {
    const { steps } = await call<FunnelAnswer>('GET', `/v1/campaigns/${campaignId}/stats`, sdkSecretKey)
    return Object.fromEntries(steps.map(({ step, count }) => [step, count]))
  }
  await expect
    .poll(async () => (await delivered()).delivery, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(expected.length)

  const messages: InboxMessage[] = []
  const marks: string[] = []
  for (const [userId, token] of sessions) {
    const own = await readAll<InboxMessage>('/v1/inbox/messages', token)
    messages.push(...own)
    marks.push(...own.map((message) => `${userId} ${numberOf(message)}`))
    const { inbox } = await call<InboxPage>('GET', '/v1/inbox/messages?limit=1', token)
    expect(inbox.unread).toBe(own.filter(({ unopened, readAt }) => unopened && readAt === null).length)
    expect(inbox.unopened).toBe(own.filter(({ unopened }) => unopened).length)
  }
  expect(compareMarks(expected, marks)).toEqual(NONE)

  const events = await readAll<{ eventId: string; properties: { number: number } }>('/v1/events', sdkSecretKey)
  const accepted = [...load.ledger.values()].filter(({ state }) => state === 'ok')
  const acknowledged = accepted.map(({ eventId, number }) => `${eventId} ${number}`)
  expect(
    compareMarks(
      acknowledged,
      events.map(({ eventId, properties }) => `${eventId} ${properties.number}`),
    ),
  ).toEqual(NONE)

  const clicked = messages.filter(({ clickedAt }) => clickedAt !== null).map(({ id }) => id)
  expect(compareMarks([...load.clicked], clicked)).toEqual(NONE)
  const count = clicked.length
  expect(await delivered()).toEqual({ delivery: expected.length, read: count, opened: count, clicked: count })

  // The load must have been one: events of each kind, and clicks.
  expect(accepted.length).toBeGreaterThan(1000)
  expect(accepted.some(({ userIds }) => userIds.length > 50)).toBe(true)
  expect(count).toBeGreaterThan(0)

  expect(await edge.stop()).toBe(0)
  const rebuilt = await rebuildStats(dataDir)
  expect(rebuilt.counters).toBeGreaterThan(0)
  expect(rebuilt.differed).toBe(0)
})
