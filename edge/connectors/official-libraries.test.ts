// Tests the connectors against the libraries that Stripe and HubSpot publish: they sign or verify the same bytes.

import { Signature } from '@hubspot/api-client'
import fc from 'fast-check'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { ConnectorCall, SourceChecks } from '../domain/connector/connector.ts'
import { hashOf, hmacOf } from './delivery.ts'
import { hubspot } from './hubspot.ts'
import { stripe } from './stripe.ts'

const NOW = 1_767_225_600_000
const CHECKS: SourceChecks = { requireV3: false, allowUnsignedBatchTail: false }
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
