// Tests the senders of environments: opened once for a revision, replaced by a change, and closed after a while.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryBus } from '../../bus/memory.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { MailProvider } from '../../domain/mail/mail-provider.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { createFindSenders, RETIRE_MS } from './find-senders.ts'

type Stored = Revised<MailIntegration>

const HEALTH = { lastSentAt: null, lastErrorAt: null, lastError: null, lastWebhookAt: null }
const integrationOf = (id: number, changes: Partial<Stored> = {}): Stored => ({
  id,
  environmentId: 7,
  name: `account ${id}`,
  provider: 'smtp',
  sealed: JSON.stringify({ host: `host-${id}` }),
  from: null,
  priority: 1,
  maxPerSecond: null,
  webhookId: `whi_${id}`,
  webhookPasswordHash: null,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
  ...changes,
})

/** Creates the read over integrations in memory, with a provider that records its senders. */
function given({ hasOwnSender = false } = {}) {
  const stored: Stored[] = []
  const opened: string[] = []
  const closed: string[] = []
  const logged: string[] = []
  let nowMs = 1000
  let reads = 0
  let held: Promise<void> | undefined
  const provider: MailProvider = {
    name: 'smtp',
    title: 'SMTP',
    takesIdempotencyKeys: false,
    tracksEngagement: false,
    fields: [{ name: 'port', label: 'Port', isSecret: false, isRequired: false, byDefault: '587' }],
    check: () => [],
    createSender({ host = '', port }) {
      opened.push(`${host}:${port}`)
      return {
        send: async () => ({ outcome: 'accepted', providerMessageId: null }),
        close: async () => void closed.push(host),
      }
    },
    tryAccount: null,
    createWebhookReader: null,
    usesWebhookPassword: false,
  }
  const bus = createMemoryBus()
  const senders = createFindSenders({
    mailIntegrations: {
      async listOf(environmentId) {
        reads++
        const listed = stored.filter((one) => one.environmentId === environmentId)
        await held
        return listed.map((one) => ({ ...one, ...HEALTH }))
      },
    },
    mailProviders: new Map([['smtp', provider]]),
    open: async (text) => {
      if (text === '') throw new Error('sealed text refused')
      return text
    },
    hasOwnSender,
    bus,
    clock: { now: () => nowMs },
    log: { error: (message) => void logged.push(message) },
  })
  return {
    stored,
    opened,
    closed,
    logged,
    senders,
    reads: () => reads,
    advance: (ms: number) => {
      nowMs += ms
    },
    /** Makes reads wait until the returned function is called. */
    hold() {
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => {
        held = undefined
        release()
      }
    },
    change(...next: Stored[]) {
      stored.splice(0, stored.length, ...next)
      bus.publish('mail-integrations-changed', { environmentId: 7 })
    },
    names: async () => (await senders.find(7)).map(({ integration }) => integration.name),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('senders are opened once, with the defaults of their fields, in the order of the store', async () => {
  const { stored, senders, opened, reads } = given()
  stored.push(integrationOf(1), integrationOf(2))
  const [first, again] = await Promise.all([senders.find(7), senders.find(7)])
  expect(await senders.find(7)).toBe(first)
  expect(again).toBe(first)
  expect(first.map(({ integration, provider }) => [integration.id, provider.name])).toEqual([
    [1, 'smtp'],
    [2, 'smtp'],
  ])
  expect({ opened, reads: reads() }).toEqual({ opened: ['host-1:587', 'host-2:587'], reads: 1 })
  expect(await senders.find(8)).toEqual([])
})

test('a change keeps the senders of other integrations, and closes the former one after a while', async () => {
  const { change, senders, opened, closed } = given()
  change(integrationOf(1), integrationOf(2))
  const before = await senders.find(7)
  const renewed = { revision: 2, sealed: JSON.stringify({ host: 'new' }) }
  change(integrationOf(1), integrationOf(2, renewed))
  const after = await senders.find(7)
  expect(after[0]?.sender).toBe(before[0]?.sender)
  expect(after[1]?.sender).not.toBe(before[1]?.sender)
  expect(opened).toEqual(['host-1:587', 'host-2:587', 'new:587'])
  await vi.advanceTimersByTimeAsync(RETIRE_MS - 1)
  expect(closed).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(closed).toEqual(['host-2'])
  change()
  expect(await senders.find(7)).toEqual([])
  await vi.advanceTimersByTimeAsync(RETIRE_MS)
  expect(closed.sort()).toEqual(['host-1', 'host-2', 'new'])
})

test('a load that began before a change is not kept, and its senders are closed', async () => {
  const { change, senders, hold, names, closed } = given()
  change(integrationOf(1))
  const release = hold()
  const early = senders.find(7)
  await vi.advanceTimersByTimeAsync(0)
  change(integrationOf(2))
  const late = senders.find(7)
  release()
  expect((await early).map(({ integration }) => integration.id)).toEqual([1])
  expect((await late).map(({ integration }) => integration.id)).toEqual([2])
  expect(await names()).toEqual(['account 2'])
  await vi.advanceTimersByTimeAsync(RETIRE_MS)
  expect(closed).toEqual(['host-1'])
})

test('a change whose signal was lost is in effect after half a minute', async () => {
  const { stored, advance, names } = given()
  stored.push(integrationOf(1))
  expect(await names()).toEqual(['account 1'])
  stored.push(integrationOf(2))
  advance(29_999)
  expect(await names()).toEqual(['account 1'])
  advance(1)
  expect(await names()).toEqual(['account 1', 'account 2'])
})

test('an integration that cannot be opened is skipped and logged', async () => {
  const { stored, names, logged } = given()
  stored.push(integrationOf(1, { sealed: '' }), integrationOf(2, { provider: 'brevo' }), integrationOf(3))
  expect(await names()).toEqual(['account 3'])
  expect(logged.sort()).toEqual([
    'mail integration skipped: credentials not opened',
    'mail integration skipped: provider unknown',
  ])
})

test('mail can be sent with an integration, or by a sender of the server', async () => {
  const { stored, senders } = given()
  expect(await senders.canSendMail(7)).toBe(false)
  stored.push(integrationOf(1, { environmentId: 9 }))
  expect(await senders.canSendMail(9)).toBe(true)
  expect(await given({ hasOwnSender: true }).senders.canSendMail(7)).toBe(true)
})

test('the end closes all senders once', async () => {
  const { change, senders, closed } = given()
  change(integrationOf(1), integrationOf(2))
  await senders.find(7)
  change(integrationOf(1))
  await senders.find(7)
  await senders.close()
  await vi.advanceTimersByTimeAsync(RETIRE_MS)
  expect(closed.sort()).toEqual(['host-1', 'host-2'])
})
