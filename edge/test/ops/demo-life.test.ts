// Tests the month of events that the first start of the demo writes, as callers of the API see it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InboxPage } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let startedAt: number

beforeAll(async () => {
  startedAt = Date.now()
  given = await givenEdge({ SEED_DEMO: 'true' }, { seedCampaigns: undefined })
})
afterAll(() => given?.stop())

const get = async <T>(path: string) =>
  (await given.call<T>('GET', path, { key: given.demo.environments.dev.sdkSecretKey })).body

interface Listed {
  data: { userId: string; occurredAt: string; receivedAt: string; createdAt: string; status: string }[]
  nextCursor: string | null
}

async function readAll(path: string): Promise<Listed['data']> {
  const all: Listed['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await get(`${path}limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
    all.push(...page.data)
    cursor = page.nextCursor
  }
  return all
}

interface Stats {
  steps: { step: string; count: number }[]
  branches: { version: number; branch: string | null }[]
}
const countsOf = ({ steps }: Stats) => steps.map(({ count }) => count)
const statsOf = (key: string, query = '') => get<Stats>(`/v1/campaigns/${given.demo.campaigns[key]}/stats${query}`)

test('a month of events of two hundred users is there, and nothing lies in the future', async () => {
  const events = await readAll('/v1/events?')
  expect(events.length).toBeGreaterThan(1000)
  expect(new Set(events.map(({ userId }) => userId)).size).toBeGreaterThan(180)
  const times = events.map(({ receivedAt }) => Date.parse(receivedAt))
  expect(Math.max(...times)).toBeLessThan(startedAt)
  expect(startedAt - Math.min(...times)).toBeGreaterThan(29 * 86_400_000)
  const messages = await readAll('/v1/deliveries?')
  expect(messages.every(({ createdAt }) => Date.parse(createdAt) < startedAt)).toBe(true)
  expect(new Set(messages.map(({ status }) => status))).toEqual(new Set(['delivered', 'sent', 'skipped', 'failed']))
})

test('funnels fall from step to step; two versions and their branches have counts', async () => {
  for (const key of ['order-shipped', 'comment', 'invoice']) {
    const [delivered = 0, read = 0, opened = 0, clicked = 0] = countsOf(await statsOf(key))
    expect(delivered).toBeGreaterThan(read)
    expect(read).toBeGreaterThan(opened)
    expect(opened).toBeGreaterThan(clicked)
    expect(clicked).toBeGreaterThan(5)
  }
  const [mails = 0] = countsOf(await statsOf('order-delivered', '?channel=email'))
  expect(mails).toBeGreaterThan(50)
  const { branches } = await statsOf('invoice')
  for (const version of [1, 2]) {
    const ofVersion = branches.filter((one) => one.version === version).map(({ branch }) => branch)
    expect(ofVersion).toEqual(['large', 'overdue', 'short', 'warm'])
  }
})

test('the counters of the funnels are those of the delivery events', async () => {
  const { counters, differed } = await givenNc(given.settings).json<{ counters: number; differed: number }>(
    'stats rebuild',
  )
  expect(counters).toBeGreaterThan(500)
  expect(differed).toBe(0)
})

test.each(['u_42', 'u_7', 'u_108'])('the inbox of %s has read and unread messages of several days', async (userId) => {
  const { data: messages, inbox } = (await given.page(await given.signIn(userId), '?limit=50')) as InboxPage
  const days = new Set(messages.map(({ createdAt }) => createdAt.slice(0, 10)))
  expect(days.size).toBeGreaterThan(4)
  expect(inbox.unread).toBeGreaterThan(1)
  expect(inbox.unread).toBeLessThan(messages.length - 2)
})

test('no mail or run waits, so the server sends nothing of it', async () => {
  const queued = await get<Listed>('/v1/deliveries?status=queued')
  expect(queued.data).toEqual([])
})

test('what is sent afterwards works as before, and a restart adds nothing', async () => {
  const before = countsOf(await statsOf('order-shipped'))
  await given.track({ name: 'order.shipped', userId: 'u_42', properties: { orderId: 'L-1' } })
  const after = countsOf(await statsOf('order-shipped'))
  expect(after).toEqual([(before[0] ?? 0) + 1, ...before.slice(1)])
  const events = (await readAll('/v1/events?')).length
  await given.restart()
  expect((await readAll('/v1/events?')).length).toBe(events)
  expect(countsOf(await statsOf('order-shipped'))).toEqual(after)
})
