// Defines the schemes by which platforms sign, each with a small delivery, for tests that send any bytes.

import { createHash } from 'node:crypto'
import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import { signedHeaders } from '../support/given-sources.ts'

export interface Signing {
  secret: string
  body: Buffer
  /** The public address. */
  url: string
  /** Epoch ms. */
  at: number
}

export interface Scheme {
  name: string
  provider: ConnectorPlatform
  sign(signing: Signing): Record<string, string>
  /** The header that holds the signature. */
  signature: string
  /** The smallest step of its time, in ms; null: it has none. */
  stepMs: number | null
  /** The text of an item that names its type. */
  type: string
  /** An item with this id of a delivery. */
  item(id: string): object
}

const hubspotItem = (id: string) => ({
  eventId: id,
  subscriptionId: 1,
  occurredAt: 1,
  subscriptionType: 'deal.creation',
  objectId: 7,
})
const formerHubspot = (version: 'v1' | 'v2'): Scheme => ({
  name: `hubspot ${version}`,
  provider: 'hubspot',
  sign({ secret, body, url }) {
    const address = version === 'v2' ? `POST${url}` : ''
    const signature = createHash('sha256').update(secret).update(address).update(body).digest('hex')
    return { 'x-hubspot-signature': signature, 'x-hubspot-signature-version': version }
  },
  signature: 'x-hubspot-signature',
  stepMs: null,
  type: 'deal.creation',
  item: hubspotItem,
})

export const SCHEMES: readonly Scheme[] = [
  {
    name: 'segment',
    provider: 'segment',
    sign: (signing) => signedHeaders('segment', { ...signing, body: firstOf(signing.body) }),
    signature: 'x-signature',
    stepMs: null,
    type: 'Order Completed',
    item: (id) => ({ type: 'track', event: 'Order Completed', messageId: id, userId: 'u', properties: {} }),
  },
  {
    name: 'stripe',
    provider: 'stripe',
    sign: (signing) => signedHeaders('stripe', signing),
    signature: 'stripe-signature',
    stepMs: 1000,
    type: 'payout.paid',
    item: (id) => ({ id, type: 'payout.paid', created: 1, data: { object: { customer: 'cus_1' } } }),
  },
  formerHubspot('v1'),
  formerHubspot('v2'),
  {
    name: 'hubspot v3',
    provider: 'hubspot',
    sign: (signing) => signedHeaders('hubspot', signing),
    signature: 'x-hubspot-signature-v3',
    stepMs: 1,
    type: 'deal.creation',
    item: hubspotItem,
  },
  {
    name: 'intercom',
    provider: 'intercom',
    sign: (signing) => signedHeaders('intercom', signing),
    signature: 'x-hub-signature',
    stepMs: null,
    type: 'conversation.user.created',
    item: (id) => ({ id, topic: 'conversation.user.created', created_at: 1, data: { item: { user_id: 'u' } } }),
  },
  {
    name: 'customerio',
    provider: 'customerio',
    sign: (signing) => signedHeaders('customerio', signing),
    signature: 'x-cio-signature',
    stepMs: 1000,
    type: 'sent',
    item: (id) => ({ event_id: id, object_type: 'email', metric: 'sent', timestamp: 1, data: { customer_id: 'u' } }),
  },
]

/** Segment signs the first item of an array. */
function firstOf(body: Buffer): Buffer {
  if (body[0] !== 0x5b) return body
  try {
    return Buffer.from(JSON.stringify((JSON.parse(body.toString()) as unknown[])[0] ?? null))
  } catch {
    return body
  }
}
