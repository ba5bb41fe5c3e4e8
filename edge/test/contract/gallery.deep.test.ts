// Tests that each campaign of the gallery, published on a real server, sends what it promises for its sample event.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { GALLERY } from '../../../contract/gallery/gallery.ts'
import { SAMPLE_USER } from '../../../contract/gallery/gallery-campaign.ts'
import type { DeliveryDetailAnswer, DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WAIT = { timeout: 60_000, interval: 50 }

let laterMs = 0
let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge({}, { clock: { now: () => Date.now() + laterMs } })
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const read = async <T>(path: string): Promise<T> => (await given.call<T>('GET', path, { key })).body

/** @returns channel and title of what was sent to a user, oldest first */
async function sentTo(userId: string): Promise<string[]> {
  const { data } = await read<Page<DeliveryRecordAnswer>>(`/v1/deliveries?userId=${userId}&limit=100`)
  const details = await Promise.all(
    data.map(({ messageId }) => read<DeliveryDetailAnswer>(`/v1/deliveries/${messageId}`)),
  )
  return details.reverse().map(({ channel, status, snapshot }) => {
    const isSent = status === 'delivered' || status === 'sent'
    return `${channel} ${isSent ? Reflect.get(snapshot ?? {}, 'title') : status}`
  })
}

/** What is sent at once, and after each wait; keys are those of the campaigns. */
const AT_ONCE = {
  welcome: ['inbox Welcome, Ada', 'email Welcome, Ada'],
  'order-shipped': ['inbox Your order A-1042 is on its way', 'email Your order A-1042 is on its way'],
  'invoice-unless-read': ['inbox Invoice R-2027-118: €148.50'],
  'comment-digest': [],
  'abandoned-cart': [],
  'payment-failed': ['inbox We could not charge €49.00', 'email We could not charge €49.00'],
  'weekly-summary': [],
  'trial-ends': [],
  incident: ['inbox Payments: Card payments fail', 'email Payments: Card payments fail'],
}
const LATER: [waitMs: number, sent: Record<string, string[]>][] = [
  [
    4 * HOUR_MS,
    {
      'invoice-unless-read': ['email Invoice R-2027-118: €148.50'],
      'comment-digest': ['inbox 1 new comment on “Launch plan”'],
      'abandoned-cart': ['inbox Your cart is waiting for you'],
    },
  ],
  [DAY_MS, { 'abandoned-cart': ['email Still thinking it over?'] }],
  [
    10 * DAY_MS,
    {
      'payment-failed': ['email Reminder: €49.00 of invoice F3C1A5-0007 are open'],
      'weekly-summary': ['inbox Your week: 1 task completed', 'email Your week: 1 task completed'],
      'trial-ends': ['inbox Your trial ends in three days', 'email Your trial ends in three days'],
    },
  ],
  [3 * DAY_MS, { 'trial-ends': ['inbox Your trial has ended'] }],
]

async function track(name: string, of: string, properties: object): Promise<void> {
  const user = { ...SAMPLE_USER, email: `${of}@example.com` }
  const { status } = await given.track({ name, userId: of, properties, user })
  expect(status).toBe(202)
}

test('each sends its messages and mails, at once and after its waits', async () => {
  for (const { definition, sample } of GALLERY) {
    await given.publish({ ...definition })
    await track(definition.trigger.event, definition.key, sample)
  }
  // The users are divided by campaign and ID.
  expect([['inbox You have used 87% of your contacts'], ['inbox Room for 130 more contacts']]).toContainEqual(
    await sentTo('plan-limit-near'),
  )
  const expected: Record<string, string[]> = structuredClone(AT_ONCE)
  const expectAll = () =>
    vi.waitFor(async () => {
      for (const [of, sent] of Object.entries(expected)) expect([of, await sentTo(of)]).toEqual([of, sent])
    }, WAIT)
  await expectAll()

  await track('incident.resolved', 'incident', { incidentId: 'inc-204' })
  expected.incident?.push('inbox Resolved: Card payments fail')
  await expectAll()
  for (const [waitMs, sent] of LATER) {
    laterMs += waitMs
    for (const [of, titles] of Object.entries(sent)) expected[of]?.push(...titles)
    await expectAll()
  }
})
