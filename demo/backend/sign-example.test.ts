// Tests that examples are signed as the platforms sign: by their own libraries where there are, else by computed vectors.

import { Signature } from '@hubspot/api-client'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createEdgeApi } from './edge-api.ts'
import { type Example, examplePayload, PLATFORMS, type Platform } from './example-payloads.ts'
import { createExampleSender, parseOrder, signDelivery } from './sign-example.ts'

const EXAMPLE: Example = { serial: '0123456789abcdef0123456789abcdef', at: 1_767_225_600_000 }
const ADDRESS = 'http://127.0.0.1:3000/v1/connectors/hubspot/src_1'
const bodyOf = (platform: Platform) => JSON.stringify(examplePayload(platform, 'u_42', EXAMPLE))

test('Stripe’s library takes the example, and not with another secret', () => {
  const { webhooks } = new Stripe('sk_test_of_nobody')
  const [secret, body, now] = ['whsec_demo', bodyOf('stripe'), EXAMPLE.at]
  const header = signDelivery('stripe', { secret, url: '', body, now })['stripe-signature'] ?? ''
  const read = (key: string) => webhooks.constructEvent(body, header, key, 300, undefined, now)
  const event = read(secret)
  expect(event).toMatchObject({ object: 'event', type: 'payment_intent.payment_failed' })
  expect(event.data.object).toMatchObject({ object: 'payment_intent', metadata: { userId: 'u_42' } })
  expect(() => read('whsec_other')).toThrow(Stripe.errors.StripeSignatureVerificationError)
})

test('HubSpot’s library takes the example at its address, and not with another secret', () => {
  // The library compares with the time of the process.
  const now = Date.now()
  const [secret, requestBody] = ['client', bodyOf('hubspot')]
  const headers = signDelivery('hubspot', { secret, url: ADDRESS, body: requestBody, now })
  const isTaken = (clientSecret: string, url: string) =>
    Signature.isValid({
      signature: headers['x-hubspot-signature-v3'] ?? '',
      signatureVersion: 'v3',
      clientSecret,
      requestBody,
      url,
      method: 'POST',
      timestamp: Number(headers['x-hubspot-request-timestamp']),
    })
  expect(isTaken(secret, ADDRESS)).toBe(true)
  expect(isTaken('other', ADDRESS)).toBe(false)
  expect(isTaken(secret, `${ADDRESS}0`)).toBe(false)
})

test('a test delivery of Customer.io is signed the same', () => {
  // As a library of others has it among its tests; customerio-node, which asks for Node 22, takes its signature too.
  const secret = '755781b5e03a973f3405a85474d5a032a60fd56fabaad66039b12eadd83955fa'
  const body =
    '{"data":{"action_id":42,"campaign_id":23,"content":"Welcome to the club, we are with you.","customer_id":"user-123","delivery_id":"RAECAAFwnUSneIa0ZXkmq8EdkAM==","headers":{"Custom-Header":["custom-value"]},"identifiers":{"id":"user-123"},"recipient":"test@example.com","subject":"Thanks for signing up"},"event_id":"01E2EMRMM6TZ12TF9WGZN0WJQT","metric":"sent","object_type":"email","timestamp":1692633432}'
  expect(signDelivery('customerio', { secret, url: '', body, now: 1_692_633_432_000 })).toEqual({
    'x-cio-signature': 'c097b83a7d57a0810625180a61213eab7e0389a54b33dd11c3a6f17790c8427a',
    'x-cio-timestamp': '1692633432',
  })
})

test('Segment’s own destination “Webhook” signs the same', () => {
  // Computed by @segment/action-destinations 3.497.0, whose dependencies are too many for a test.
  const body =
    '{"type":"track","event":"Order Completed","messageId":"m-1","userId":"user-123","properties":{"total":42.5,"note":"Grüße, 世界 👋","path":"a/b"}}'
  const headers = signDelivery('segment', { secret: 'shared-secret', url: '', body, now: EXAMPLE.at })
  expect(headers).toEqual({ 'x-signature': 'e328efc50dc6e4f21b10734b5971a082a8eb4e98' })
})

// The same values as in edge/connectors/vectors.test.ts.
test.each<[Platform, string, Record<string, string>]>([
  ['segment', 'shared', { 'x-signature': 'ab16acfe4f65d558b2d4f7099d22bfc5a6ed8cf4' }],
  [
    'stripe',
    'whsec_stripe',
    { 'stripe-signature': 't=1767225600,v1=92b0b2cfb8569ea6bdbef393e414a5a9a6ed3ecb60a55c0cc6f45d5b428f5d1b' },
  ],
  [
    'hubspot',
    'client',
    {
      'x-hubspot-signature-v3': 'GaGxL/tSKMTVnxgu77CPI5pIh0TcA4yMCawT7N/j+Ow=',
      'x-hubspot-request-timestamp': '1767225600000',
    },
  ],
  ['intercom', 'client', { 'x-hub-signature': 'sha1=b9259fbd446c9327ae8a62bf9ecb60cb14d16c01' }],
  [
    'customerio',
    'cio',
    {
      'x-cio-signature': 'ed00e2ccd0cd4f1b59617b3ea33f98e5f639501a1d9b22dba0722df322780669',
      'x-cio-timestamp': '1767225600',
    },
  ],
])('%s: the headers are those of the vector', (platform, secret, headers) => {
  const body = '{"type":"track","event":"Order Completed","userId":"user-123","properties":{"total":42.5}}'
  const url = 'https://n.example/v1/connectors/hubspot/src_1'
  expect(signDelivery(platform, { secret, url, body, now: EXAMPLE.at })).toEqual(headers)
})

test.each(PLATFORMS)('%s: the same example is the same payload, and names its user', (platform) => {
  const payload = bodyOf(platform)
  expect(bodyOf(platform)).toBe(payload)
  expect(payload).toContain('"u_42"')
  const next = { ...EXAMPLE, serial: 'fedcba98765432100123456789abcdef' }
  expect(JSON.stringify(examplePayload(platform, 'u_42', next))).not.toBe(payload)
})

test('each new example has an id and a time of its own, and an edge out of reach is a 503', async () => {
  const sources = { stripe: { id: 'src_1', verificationSecret: 'whsec_demo' } }
  let now = EXAMPLE.at
  const address = 'http://127.0.0.1:1'
  const keys = {
    id: 'env_1',
    sdkSecretKey: 'k',
    authSecretKey: 'a',
    frontApiKey: 'f',
    webhookSigningSecret: 'whsec_AA',
  }
  const edge = createEdgeApi(address, keys)
  const send = createExampleSender({ sources, edge, edgeUrl: address, publicUrl: address, now: () => now++ })
  const order = { platform: 'stripe', userId: 'u_42', example: undefined, isForged: false } as const
  const [first, second] = [await send(order), await send(order)]
  expect(first).toMatchObject({ status: 503, body: { code: 'demo/edge-unreachable' }, eventId: null })
  expect(second.example.serial).not.toBe(first.example.serial)
  expect(second.example.at).toBeGreaterThan(first.example.at)
  const again = await send({ ...order, example: first.example })
  expect(again.example).toEqual(first.example)
  await expect(send({ ...order, platform: 'hubspot' })).rejects.toThrow('no source of hubspot')
})

test('what the page asks is checked', () => {
  const good = { platform: 'intercom', userId: 'u_42' }
  expect(parseOrder(good)).toEqual({ ...good, example: undefined, isForged: false })
  expect(parseOrder({ ...good, example: EXAMPLE, isForged: true })).toEqual({
    ...good,
    example: EXAMPLE,
    isForged: true,
  })
  for (const bad of [
    undefined,
    {},
    { platform: 'intercom' },
    { ...good, platform: 'pigeon' },
    { ...good, example: null },
    { ...good, example: { ...EXAMPLE, serial: 'x' } },
    { ...good, example: { ...EXAMPLE, at: 1.5 } },
    { ...good, example: { ...EXAMPLE, at: 9e15 } },
  ]) {
    expect(parseOrder(bad)).toBeUndefined()
  }
})
