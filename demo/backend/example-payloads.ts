// Builds an example delivery of each platform, in the shape of that platform's published documentation.

import { PEOPLE } from './people.ts'

export const PLATFORMS = ['stripe', 'segment', 'hubspot', 'intercom', 'customerio'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Identifies an example: the same values give the same payload. */
export interface Example {
  /** 32 hexadecimal digits, from which the platform's ids derive. */
  serial: string
  /** Epoch milliseconds of what happened at the platform. */
  at: number
}

interface Recipient {
  userId: string
  name: string
  email: string
}

/** @returns The payload; an array where the platform sends arrays. */
export function examplePayload(platform: Platform, userId: string, example: Example): object {
  const person = PEOPLE.find((one) => one.userId === userId)
  const recipient = { userId, name: person?.name ?? userId, email: person?.email ?? 'somebody@example.com' }
  return PAYLOADS[platform](recipient, example)
}

const PAYLOADS: Record<Platform, (recipient: Recipient, example: Example) => object> = {
  stripe,
  segment,
  hubspot,
  intercom,
  customerio,
}

const secondsOf = ({ at }: Example): number => Math.floor(at / 1000)
const orderIdOf = ({ serial }: Example): string => `L-${numberOf(serial.slice(0, 8)) % 1_000_000}`
const numberOf = (hex: string): number => Number.parseInt(hex, 16)

/** https://docs.stripe.com/api/events/object with the object of https://docs.stripe.com/api/payment_intents/object */
function stripe({ userId, name, email }: Recipient, example: Example): object {
  const created = secondsOf(example)
  const id = example.serial.slice(0, 24)
  const card = { brand: 'visa', country: 'DE', exp_month: 8, exp_year: 2031, funding: 'credit', last4: '0341' }
  return {
    id: `evt_${id}`,
    object: 'event',
    api_version: '2025-03-31.basil',
    created,
    data: {
      object: {
        id: `pi_${id}`,
        object: 'payment_intent',
        amount: 7400,
        amount_capturable: 0,
        amount_received: 0,
        capture_method: 'automatic',
        confirmation_method: 'automatic',
        created,
        currency: 'eur',
        customer: `cus_${id.slice(0, 14)}`,
        description: `Order ${orderIdOf(example)}`,
        last_payment_error: {
          type: 'card_error',
          code: 'card_declined',
          decline_code: 'insufficient_funds',
          message: 'Your card has insufficient funds.',
          payment_method: {
            id: `pm_${id}`,
            object: 'payment_method',
            billing_details: { email, name },
            card,
            type: 'card',
          },
        },
        latest_charge: `ch_${id}`,
        livemode: false,
        metadata: { orderId: orderIdOf(example), userId },
        payment_method: null,
        payment_method_types: ['card'],
        receipt_email: email,
        status: 'requires_payment_method',
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: `req_${id.slice(0, 14)}`, idempotency_key: null },
    type: 'payment_intent.payment_failed',
  }
}

/** https://www.twilio.com/docs/segment/connections/spec/ecommerce/v2#order-completed */
function segment({ userId, email }: Recipient, example: Example): object {
  const timestamp = new Date(example.at).toISOString()
  return {
    type: 'track',
    event: 'Order Completed',
    messageId: `ajs-next-${example.at}-${example.serial}`,
    userId,
    channel: 'client',
    context: { library: { name: 'analytics.js', version: 'next-1.77.0' }, locale: 'en-GB', traits: { email } },
    integrations: {},
    properties: {
      order_id: orderIdOf(example),
      affiliation: 'Loam',
      total: 96,
      revenue: 74,
      shipping: 6,
      tax: 16,
      currency: 'EUR',
      products: [
        { product_id: 'monstera', name: 'Monstera', price: 48, quantity: 1, category: 'Plants' },
        { product_id: 'sword-fern', name: 'Sword fern', price: 13, quantity: 2, category: 'Plants' },
      ],
    },
    originalTimestamp: timestamp,
    receivedAt: timestamp,
    sentAt: timestamp,
    timestamp,
    version: '2',
  }
}

/** https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide: the property that links contact and user */
function hubspot({ userId }: Recipient, { serial, at }: Example): object {
  return [
    {
      eventId: numberOf(serial.slice(0, 8)),
      subscriptionId: 2_234_567,
      portalId: 62_515,
      appId: 1_160_452,
      occurredAt: at,
      subscriptionType: 'contact.propertyChange',
      attemptNumber: 0,
      objectId: 1_246_965 + (numberOf(serial.slice(8, 14)) % 1_000_000),
      propertyName: 'shop_user_id',
      propertyValue: userId,
      changeSource: 'CRM_UI',
      sourceId: 'userId:45678',
    },
  ]
}

/** https://developers.intercom.com/docs/references/webhooks/webhook-models with a conversation as its item */
function intercom({ userId }: Recipient, example: Example): object {
  const created_at = secondsOf(example)
  const id = String(numberOf(example.serial.slice(0, 12)))
  const author = { type: 'admin', id: '814860', name: 'Ada from the greenhouse', email: 'ada@example.com' }
  return {
    type: 'notification_event',
    app_id: 'loam0001',
    data: {
      type: 'notification_event_data',
      item: {
        type: 'conversation',
        id,
        created_at: created_at - 3600,
        updated_at: created_at,
        title: null,
        state: 'open',
        open: true,
        read: false,
        contacts: {
          type: 'contact.list',
          contacts: [{ type: 'contact', id: example.serial.slice(0, 24), external_id: userId }],
        },
        conversation_parts: {
          type: 'conversation_part.list',
          conversation_parts: [
            {
              type: 'conversation_part',
              id: `${id}1`,
              part_type: 'comment',
              body: '<p>Yes, a sword fern loves your bathroom. Keep it <b>away from the window</b> in winter, and mist it twice a week.</p>',
              created_at,
              updated_at: created_at,
              notified_at: created_at,
              author,
              attachments: [],
            },
          ],
          total_count: 1,
        },
      },
    },
    links: {},
    id: `notif_${example.serial}`,
    topic: 'conversation.admin.replied',
    delivery_status: 'pending',
    delivery_attempts: 1,
    delivered_at: 0,
    first_sent_at: created_at,
    created_at,
    self: null,
  }
}

/** https://docs.customer.io/integrations/api/webhooks: an e-mail that bounced */
function customerio({ userId, email }: Recipient, example: Example): object {
  const serial = example.serial.toUpperCase()
  return {
    data: {
      action_id: 36,
      broadcast_id: null,
      campaign_id: 9,
      content_id: 412,
      customer_id: userId,
      delivery_id: Buffer.from(example.serial.slice(0, 24), 'hex').toString('base64'),
      failure_message: '550 5.1.1 The account that you tried to reach does not exist.',
      identifiers: { id: userId, email, cio_id: example.serial.slice(0, 12) },
      recipient: email,
      subject: 'Your plants in November',
    },
    // A ULID.
    event_id: `01${serial.slice(0, 24)}`,
    object_type: 'email',
    metric: 'bounced',
    timestamp: secondsOf(example),
  }
}
