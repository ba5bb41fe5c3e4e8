// Tests the connectors against the libraries that their platforms publish: they sign or verify the same bytes.

import { Signature } from '@hubspot/api-client'
import fc from 'fast-check'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { ConnectorCall, SourceChecks } from '../domain/connector/connector.ts'
import { customerio } from './customerio.ts'
import { hashOf, hmacOf } from './delivery.ts'
import { hubspot } from './hubspot.ts'
import { segment } from './segment.ts'
import { stripe } from './stripe.ts'

const NOW = 1_767_225_600_000
const CHECKS: SourceChecks = { requireV3: false, allowUnsignedBatchTail: false, settings: null }
const { webhooks } = new Stripe('sk_test_of_nobody')

const call = (
  body: string,
  headers: Record<string, string>,
  url = 'https://n.example/p',
  now = NOW,
): ConnectorCall => ({
  method: 'POST',
  url,
  headers,
  body: Buffer.from(body),
  now,
})
const text = fc.string({ unit: 'grapheme' })
/** Anything that is a JSON text, with its white space. */
const bodies = fc
  .tuple(fc.jsonValue(), fc.constantFrom(0, 1, 2))
  .map(([value, space]) => JSON.stringify({ value }, null, space))
const secrets = fc.string({ minLength: 1, unit: 'grapheme-ascii' })

test('what Stripe’s library signs is taken, with its secret and its body alone', () => {
  fc.assert(
    fc.property(bodies, secrets, secrets, text, (payload, secret, other, addition) => {
      const header = webhooks.generateTestHeaderString({ payload, secret, timestamp: NOW / 1000 })
      const signed = call(payload, { 'stripe-signature': header })
      expect(stripe.verify(signed, secret, CHECKS).ok).toBe(true)
      expect(stripe.verify(signed, other, CHECKS).ok).toBe(other === secret)
      const changed = call(payload + addition, { 'stripe-signature': header })
      expect(stripe.verify(changed, secret, CHECKS).ok).toBe(addition === '')
    }),
    { numRuns: 200 },
  )
})

test('Stripe’s library judges times as we do, where they are old', () => {
  const payload = '{"id":"evt_1"}'
  const secret = 'whsec_1'
  for (const age of [0, 299, 300, 301, 600]) {
    const timestamp = NOW / 1000 - age
    const header = webhooks.generateTestHeaderString({ payload, secret, timestamp })
    const isTaken = () => {
      try {
        return webhooks.constructEvent(payload, header, secret, 300, undefined, NOW) !== undefined
      } catch {
        return false
      }
    }
    expect(stripe.verify(call(payload, { 'stripe-signature': header }), secret, CHECKS).ok, `${age} s`).toBe(isTaken())
  }
})

test.each(['v1', 'v2', 'v3'] as const)('HubSpot’s library agrees on version %s', (version) => {
  fc.assert(
    fc.property(bodies, secrets, secrets, fc.webUrl({ withQueryParameters: true }), (body, secret, other, url) => {
      // HubSpot’s library compares with the time of the process.
      const now = Date.now()
      const timestamp = `${now}`
      const key = { algorithm: 'sha256', key: secret, encoding: 'base64' } as const
      const signature = {
        v1: () => hashOf(secret, body),
        v2: () => hashOf(secret, 'POST', url, body),
        v3: () => hmacOf(key, 'POST', url, body, timestamp),
      }[version]()
      const judge = (clientSecret: string) =>
        Signature.isValid({
          signature,
          signatureVersion: version,
          clientSecret,
          requestBody: body,
          url,
          method: 'POST',
          timestamp: now,
        })
      const headers: Record<string, string> =
        version === 'v3'
          ? { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': timestamp }
          : { 'x-hubspot-signature': signature, 'x-hubspot-signature-version': version }
      // The library leaves the address as it is: where it has escapes, HubSpot signs another.
      fc.pre(!url.includes('%'))
      expect(judge(secret)).toBe(true)
      expect(hubspot.verify(call(body, headers, url, now), secret, CHECKS).ok).toBe(true)
      expect(judge(other)).toBe(other === secret)
      expect(hubspot.verify(call(body, headers, url, now), other, CHECKS).ok).toBe(other === secret)
    }),
    { numRuns: 200 },
  )
})

test('a test delivery of Customer.io is taken', () => {
  // As a library of others has it among its tests; customerio-node, which asks for Node 22, takes its signature too.
  const body =
    '{"data":{"action_id":42,"campaign_id":23,"content":"Welcome to the club, we are with you.","customer_id":"user-123","delivery_id":"RAECAAFwnUSneIa0ZXkmq8EdkAM==","headers":{"Custom-Header":["custom-value"]},"identifiers":{"id":"user-123"},"recipient":"test@example.com","subject":"Thanks for signing up"},"event_id":"01E2EMRMM6TZ12TF9WGZN0WJQT","metric":"sent","object_type":"email","timestamp":1692633432}'
  const secret = '755781b5e03a973f3405a85474d5a032a60fd56fabaad66039b12eadd83955fa'
  const headers = {
    'x-cio-signature': 'c097b83a7d57a0810625180a61213eab7e0389a54b33dd11c3a6f17790c8427a',
    'x-cio-timestamp': '1692633432',
  }
  const signed = call(body, headers, undefined, 1_692_633_432_000)
  expect(customerio.verify(signed, secret, CHECKS).ok).toBe(true)
  expect(customerio.verify({ ...signed, now: NOW }, secret, CHECKS).ok).toBe(false)
  expect(customerio.read(signed, CHECKS).items).toMatchObject([
    { deliveryId: '01E2EMRMM6TZ12TF9WGZN0WJQT', type: 'email.sent', occurredAt: 1_692_633_432_000 },
  ])
})

test('what Segment’s own destination “Webhook” signs is taken, alone and as the first of a batch', () => {
  // Computed by @segment/action-destinations 3.497.0, whose dependencies are too many for a test.
  const signature = 'e328efc50dc6e4f21b10734b5971a082a8eb4e98'
  const first =
    '{"type":"track","event":"Order Completed","messageId":"m-1","userId":"user-123","properties":{"total":42.5,"note":"Grüße, 世界 👋","path":"a/b"}}'
  const second = '{"type":"identify","messageId":"m-2","userId":"user-123","traits":{"name":"Ada"}}'
  const isTaken = (body: string) => segment.verify(call(body, { 'x-signature': signature }), 'shared-secret', CHECKS).ok
  expect([first, `[${first}]`, `[${first},${second}]`].map(isTaken)).toEqual([true, true, true])
  expect([second, `[${second},${first}]`, `[[${first}]]`].map(isTaken)).toEqual([false, false, false])
})
