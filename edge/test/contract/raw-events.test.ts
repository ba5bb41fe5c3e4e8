// Tests that a stored event keeps what was sent besides: its profile as it came, its idempotency key, and unknown fields.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  await given.publish(inboxCampaign('raw', 'raw.seen'))
})
afterAll(() => given.stop())

interface RawEvent {
  eventId: string
  raw: Record<string, unknown>
  messageIds: string[]
}

const read = (eventId: string) => given.call<RawEvent>('GET', `/v1/events/${eventId}`, { key }).then(({ body }) => body)

/** Sends the JSON text of an event without its last brace. */
async function sendText(text: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${given.url}/v1/events/track`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: `${text},"sdkSecretKey":"${key}"}`,
  })
  return (await response.json()).eventId
}

const USER = { email: 'ada@example.com', plan: 'pro', attributes: { seats: 3 }, name: null }

test('an event and its delivery keep user, idempotency key and unknown fields', async () => {
  const sent = { user: USER, idempotencyKey: 'order-1', context: { ip: '192.0.2.1' }, version: 2 }
  const { body } = await given.track({ name: 'raw.seen', userId: 'u_1', properties: { a: 1 }, ...sent })
  const event = await read(body.eventId)
  expect(event.raw).toEqual(sent)

  const [messageId] = event.messageIds
  const delivery = await given.call<{ event: RawEvent }>('GET', `/v1/deliveries/${messageId}`, { key })
  expect(delivery.body.event.raw).toEqual(sent)

  const page = await given.call<{ data: RawEvent[] }>('GET', '/v1/events?userId=u_1', { key })
  expect(page.body.data.map(({ raw }) => raw)).toEqual([sent])
})

test('a key in the header is kept, and an event without any of them has nothing', async () => {
  const withHeader = await sendText('{"name":"raw.seen","userId":"u_2"', { 'idempotency-key': 'in-header' })
  const plain = await sendText('{"name":"raw.seen","userId":"u_2","properties":{"x":1},"occurredAt":1700000000')
  expect([(await read(withHeader)).raw, (await read(plain)).raw]).toEqual([{ idempotencyKey: 'in-header' }, {}])
})

test('a key of ours that stands in another field is not kept', async () => {
  const sent = { SdkSecretKey: key, context: { headers: [`Bearer ${key}`] } }
  const { body } = await given.track({ name: 'raw.seen', userId: 'u_9', ...sent })
  const { raw } = await read(body.eventId)
  expect(raw).toEqual({ SdkSecretKey: 'nc_sdk_[removed]', context: { headers: ['Bearer nc_sdk_[removed]'] } })
})

test('numbers keep their digits, names of prototypes are names, and the secret is not kept', async () => {
  const eventId = await sendText(
    '{"name":"raw.seen","userId":"u_3","big":12345678901234567890,"__proto__":{"x":1},"constructor":{"y":1},"toString":"t","user":{"ref":9007199254740993}',
  )
  const { raw } = await read(eventId)
  expect(JSON.stringify(raw)).toBe(
    '{"user":{"ref":"9007199254740993"},"big":"12345678901234567890","constructor":{"y":1},"toString":"t"}',
  )
})

test('each event of a batch keeps its own, without a secret', async () => {
  const events = [
    { name: 'raw.seen', userId: 'u_4', sdkSecretKey: key, note: 'first' },
    { name: 'raw.seen', topic: 'nobody', idempotencyKey: 'second' },
    { name: 'raw.seen', userIds: ['u_4', 'u_5'] },
  ]
  const answer = await given.call<{ results: { eventId: string }[] }>('POST', '/v1/events/track/batch', {
    key,
    body: { sdkSecretKey: key, events, envelope: 'not of an event' },
  })
  const raws = await Promise.all(answer.body.results.map(({ eventId }) => read(eventId).then(({ raw }) => raw)))
  expect(raws).toEqual([{ note: 'first' }, { idempotencyKey: 'second' }, {}])
})

test('a repeat with other unknown fields is the same event, which keeps the first ones', async () => {
  const send = (sentAt: number) =>
    given.track({ name: 'raw.seen', userId: 'u_6', idempotencyKey: 'again', context: { sentAt } })
  const first = await send(1)
  const second = await send(2)
  expect(second.body).toMatchObject({ eventId: first.body.eventId, duplicate: true })
  expect((await read(first.body.eventId)).raw).toEqual({ idempotencyKey: 'again', context: { sentAt: 1 } })
})

test('the export of a user has it, and their erasure removes it', async () => {
  const { body } = await given.track({ name: 'raw.seen', userId: 'u_7', user: USER, note: 'of u_7' })
  const { body: exported } = await given.call<{ events: RawEvent[] }>('GET', '/v1/users/u_7/export', { key })
  expect(exported.events.map(({ raw }) => raw)).toEqual([{ user: USER, note: 'of u_7' }])

  await given.call('DELETE', '/v1/users/u_7', { key })
  expect((await given.call('GET', `/v1/events/${body.eventId}`, { key })).status).toBe(404)
})
