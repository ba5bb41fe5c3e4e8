// Tests deliveries of platforms: the order of refusals, events once each, repeats, pauses, and what is shown of them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenSources, givenSources, trackCall } from '../support/given-sources.ts'

let given: GivenEdge
let sources: GivenSources
let source: CreatedSourceAnswer
beforeAll(async () => {
  given = await givenEdge({ PUBLIC_URL: 'https://notify.example/behind/a/proxy' })
  sources = givenSources(given)
  source = await sources.create('segment')
})
afterAll(() => given.stop())

interface Event {
  eventId: string
  name: string
  userId: string | null
  source: string
  outcome: string
  properties: object
}
const key = () => given.demo.environments.dev.sdkSecretKey
async function eventsOf(userId: string): Promise<Event[]> {
  return (await given.call<Page<Event>>('GET', `/v1/events?userId=${userId}`, { key: key() })).body.data
}

test('refusals come in the order of the contract', async () => {
  const wrong = { secret: 'wrong' }
  const { id } = await sources.create('segment')
  const at = (path: string) => sources.deliver(source, trackCall('order'), { path })
  for (const path of [`/v1/connectors/stripe/${id}`, `/v1/connectors/pigeon/${id}`, '/v1/connectors/segment/src_1']) {
    expect(await at(path)).toMatchObject({ status: 404, body: { code: 'source/not-found' } })
  }
  await sources.change(id, 'pause')
  const paused = await sources.deliver({ ...source, id }, 'no JSON', wrong)
  expect(paused).toMatchObject({ status: 200, body: { status: 'paused' } })
  expect(await sources.deliver(source, 'no JSON', wrong)).toMatchObject({
    status: 401,
    body: { code: 'webhook/invalid-signature' },
  })
  expect(await sources.deliver(source, 'no JSON')).toMatchObject({
    status: 400,
    body: { code: 'request/invalid-body' },
  })
  const probe = await fetch(`${given.url}/v1/connectors/segment/${id}`, { method: 'HEAD' })
  expect(probe.status).toBe(200)
})

test('a delivery becomes an event once, begins its campaign, and repeats are counted', async () => {
  await given.publish(inboxCampaign('orders', 'Order Completed'))
  const userId = 'buyer'
  // The key of a call is not the id of a delivery.
  await given.track({ name: 'other', userId: 'somebody', idempotencyKey: 'once' })
  const send = (sentAt: string) => sources.deliver(source, trackCall('once', { userId, sentAt }))
  expect(await send('1')).toMatchObject({ status: 200, body: { status: 'accepted', accepted: 1 } })
  expect(await send('2')).toMatchObject({ status: 200, body: { status: 'accepted', accepted: 0 } })
  const events = await eventsOf(userId)
  expect(events).toMatchObject([{ name: 'Order Completed', userId, source: 'connector:segment', outcome: 'matched' }])
  const shown = async () => (await sources.deliveries(source.id)).filter(({ deliveryId }) => deliveryId === 'once')
  await expect.poll(shown).toMatchObject([
    { outcome: 'duplicate', eventId: events[0]?.eventId },
    { outcome: 'accepted', eventId: events[0]?.eventId, reason: null },
  ])
  const inbox = await given.page(await given.signIn(userId))
  expect(inbox.data).toHaveLength(1)
})

test('each platform is verified behind a proxy with a path', async () => {
  const payloads = {
    stripe: { id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: { customer: 'cus_1' } } },
    hubspot: [{ eventId: 1, subscriptionId: 2, occurredAt: 3, subscriptionType: 'contact.creation', objectId: 4 }],
    intercom: { id: 'notif_1', topic: 'conversation.user.created', data: { item: { user_id: 'u_3' } } },
    customerio: {
      event_id: 'e1',
      object_type: 'email',
      metric: 'sent',
      timestamp: 1,
      data: { identifiers: { id: 'u' } },
    },
  } as const
  for (const [provider, payload] of Object.entries(payloads) as ['stripe', unknown][]) {
    const one = await sources.create(provider)
    expect(one.url).toBe(`https://notify.example/behind/a/proxy/v1/connectors/${provider}/${one.id}`)
    expect(await sources.deliver(one, payload)).toMatchObject({ status: 200, body: { accepted: 1 } })
    expect(await sources.deliver(one, payload, { secret: 'wrong' })).toMatchObject({ status: 401 })
    await expect.poll(() => sources.read(one.id)).toMatchObject({ counts: { accepted: 1, refused: 1 } })
  }
})

test('an item that the mapping cannot read is an event with a reason', async () => {
  const mappings = [{ providerEvent: 'Odd', event: 'odd.event', userIdPath: 'properties.nobody' }]
  const odd = await sources.create('segment', { mappings })
  const sent = await sources.deliver(odd, trackCall('odd', { event: 'Odd' }))
  expect(sent).toMatchObject({ status: 200, body: { accepted: 1 } })
  await expect
    .poll(() => sources.deliveries(odd.id))
    .toMatchObject([
      {
        outcome: 'unreadable',
        reason: 'There is no user at properties.nobody.',
        eventId: expect.stringMatching(/^evt_/),
      },
    ])
})

test('identify writes the profile, and an erasure finds the payloads', async () => {
  const userId = 'identified'
  const identify = { type: 'identify', messageId: 'i1', userId, traits: { email: 'ada@example.com', name: 'Ada' } }
  expect(await sources.deliver(source, identify)).toMatchObject({ body: { accepted: 1 } })
  const path = `/v1/users/${userId}`
  expect((await given.call('GET', path, { key: key() })).body).toMatchObject({ email: 'ada@example.com', name: 'Ada' })
  expect(await eventsOf(userId)).toHaveLength(1)
  expect((await given.call('DELETE', path, { key: key() })).status).toBe(200)
  expect(await eventsOf(userId)).toEqual([])
})

test('old and new values are accepted in an overlap, and only the new one after an emergency', async () => {
  const one = await sources.create('segment', { verificationSecret: 'first-value' })
  const send = (secret: string, id: string) => sources.deliver(one, trackCall(id), { secret })
  const rotated = await sources.change(one.id, 'rotate', { verificationSecret: 'second-value' })
  expect(rotated).toMatchObject({
    status: 200,
    body: { kind: 'verificationSecret', state: 'overlap', verificationSecret: 'second-value' },
  })
  expect((await send('first-value', 'r1')).status).toBe(200)
  expect((await send('second-value', 'r2')).status).toBe(200)
  expect(await sources.change(one.id, 'rotate')).toMatchObject({ status: 409 })
  expect(await sources.change(one.id, 'retire', { confirm: true })).toMatchObject({ body: { state: 'single' } })
  expect((await send('first-value', 'r3')).status).toBe(401)
  const { body } = await sources.change<{ verificationSecret: string }>(one.id, 'emergency', { confirm: true })
  expect((await send('second-value', 'r4')).status).toBe(401)
  expect((await send(body.verificationSecret, 'r5')).status).toBe(200)
})

test('the key of another environment finds no source', async () => {
  const other = given.demo.environments.prod.sdkSecretKey
  const answer = await given.call('GET', `/v1/sources/${source.id}`, { key: other })
  expect(answer).toMatchObject({ status: 404, body: { code: 'source/not-found' } })
})

test('faults of mappings have precise paths', async () => {
  const mappings = [{ providerEvent: 'a' }, { providerEvent: 'a', event: '!' }, { userIdPath: 'a..b', other: 1 }]
  const body = { name: 'x', provider: 'stripe', mappings }
  const answer = await given.call<{ details: { path: string }[] }>('POST', '/v1/sources', { key: key(), body })
  expect(answer.status).toBe(400)
  expect(answer.body.details.map(({ path }) => path).sort()).toEqual([
    'mappings[1].event',
    'mappings[1].providerEvent',
    'mappings[2].other',
    'mappings[2].providerEvent',
    'mappings[2].userIdPath',
  ])
})
