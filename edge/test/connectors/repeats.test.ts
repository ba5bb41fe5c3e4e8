// Tests deliveries that a platform sends again days later: known for seven days, at each source apart.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import type { NamedPlatform } from '../../../contract/tenant.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenSources, givenSources, trackCall } from '../support/given-sources.ts'

const DAY_MS = 24 * 60 * 60_000
const USER = 'buyer'
const EVENT = 'repeated'

let daysLater = 0
const clock = { now: () => Date.now() + daysLater * DAY_MS }
let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge({}, { clock })
  sources = givenSources(given)
  await given.publish(inboxCampaign('repeated', EVENT))
})
afterAll(() => given.stop())

/** One item of each platform, which its platform sends again with another time of sending. */
const PAYLOADS: Record<NamedPlatform, (sent: number) => unknown> = {
  segment: (sent) => trackCall('r1', { userId: USER, sentAt: new Date(sent).toISOString() }),
  stripe: (sent) => ({ id: 'r1', type: 'payout.paid', created: 1, pending_webhooks: sent, data: { object: {} } }),
  hubspot: (sent) => [
    {
      eventId: 1,
      subscriptionId: 2,
      occurredAt: 3,
      attemptNumber: sent,
      subscriptionType: 'deal.creation',
      objectId: 4,
    },
  ],
  intercom: (sent) => ({ id: 'r1', topic: 'conversation.user.created', delivery_attempts: sent, data: { item: {} } }),
  customerio: (sent) => ({ event_id: 'r1', object_type: 'email', metric: 'sent', timestamp: 1, data: { sent } }),
}
const PLATFORMS = Object.keys(PAYLOADS) as NamedPlatform[]

/** Moves the server's clock while it is stopped, and starts it again. */
async function waitUntilDay(day: number): Promise<void> {
  daysLater = day
  await given.restart()
}

test('a redelivery counts nothing after three days, and is an event again after eight', async () => {
  const all: { source: CreatedSourceAnswer; provider: NamedPlatform }[] = []
  for (const provider of PLATFORMS) {
    const mappings = [{ providerEvent: '*', event: EVENT, userIdPath: null, propertiesPath: null }]
    all.push({ provider, source: await sources.create(provider, { mappings }) })
  }
  const sendAll = async () => {
    const accepted: Record<string, unknown> = {}
    for (const { source, provider } of all) {
      const answer = await sources.deliver(source, PAYLOADS[provider](clock.now()), { at: clock.now() })
      expect(answer.status, provider).toBe(200)
      accepted[provider] = answer.body.accepted
    }
    return accepted
  }
  const each = (accepted: number) => Object.fromEntries(PLATFORMS.map((provider) => [provider, accepted]))
  expect(await sendAll()).toEqual(each(1))
  await waitUntilDay(3)
  expect(await sendAll()).toEqual(each(0))
  // The seven days begin with the first delivery: a repeat prolongs nothing.
  await waitUntilDay(8)
  expect(await sendAll()).toEqual(each(1))
  await waitUntilDay(11)
  expect(await sendAll()).toEqual(each(0))
  for (const { source } of all) {
    await expect.poll(() => sources.read(source.id)).toMatchObject({ counts: { duplicates: 2, refused: 0 } })
  }
  // Two events and two messages, although Segment sent its call four times.
  const key = given.demo.environments.dev.sdkSecretKey
  const { body } = await given.call<Page<{ eventId: string }>>('GET', `/v1/events?userId=${USER}`, { key })
  expect(body.data).toHaveLength(2)
  expect((await given.page(await given.signIn(USER))).data).toHaveLength(2)
})
