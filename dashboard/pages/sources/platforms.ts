// Describes the platforms of sources for people: what each one reports, and the steps to connect it.

import type { ConnectorPlatform } from '../../../contract/tenant.ts'

export interface PlatformWords {
  title: string
  /** What its deliveries are about. */
  about: string
  /** `made`: by this service. Else the platform dictates it: `known` before it has the address, or `later` alone. */
  secret: 'made' | 'known' | 'later'
  /** Where people find the secret, or enter it. */
  secretHelp: string
  /** What to do there with the address, and where the source makes the secret, with both. */
  steps: readonly string[]
  /** What its types look like, as a hint. */
  exampleType: string
  /** A delivery to try mappings with. */
  example: unknown
}

export const PLATFORMS: Readonly<Record<ConnectorPlatform, PlatformWords>> = {
  hmac: {
    title: 'Any HMAC',
    about: 'Any sender that signs its deliveries with an HMAC.',
    secret: 'known',
    secretHelp: 'Where the sender shows its signing secret.',
    steps: [
      'At the sender, enter the address as the URL of a webhook.',
      'Copy its signing secret, and enter it here.',
      'Try its settings with a request, in “Signature”.',
    ],
    exampleType: 'order.created',
    example: { id: '1', type: 'order.created', data: { user_id: 'u_42' } },
  },
  standardwebhooks: {
    title: 'Standard Webhooks',
    about: 'Senders such as Clerk and Supabase, by the specification Standard Webhooks.',
    secret: 'later',
    secretHelp: 'Where the sender shows the signing secret of its endpoint (whsec_…).',
    steps: [
      'At the sender, add an endpoint with the address.',
      'Choose its events.',
      'Copy its signing secret (whsec_…), and enter it here.',
    ],
    exampleType: 'user.created',
    example: { type: 'user.created', timestamp: '2026-11-01T09:30:00.000Z', data: { user_id: 'u_42' } },
  },
  segment: {
    title: 'Segment',
    about: 'Analytics: track calls become events, identify calls update profiles.',
    secret: 'made',
    secretHelp: 'In Segment: the destination “Webhooks”, field “Shared Secret”.',
    steps: [
      'In Segment, add the destination “Webhooks” to your source.',
      'Enter the address as its URL, and the secret as “Shared Secret”.',
      'Turn the destination on.',
    ],
    exampleType: 'Order Completed',
    example: {
      type: 'track',
      messageId: 'ajs-1',
      event: 'Order Completed',
      userId: 'u_42',
      properties: { orderId: 'A-1042', total: 48 },
      timestamp: '2026-11-01T09:30:00.000Z',
    },
  },
  stripe: {
    title: 'Stripe',
    about: 'Payments: invoices, subscriptions, disputes and payouts.',
    secret: 'later',
    secretHelp: 'In Stripe: Developers, Webhooks, your endpoint, “Signing secret” (whsec_…).',
    steps: [
      'In Stripe, open Developers, Webhooks, and add an endpoint with the address.',
      'Choose its events, such as invoice.payment_failed.',
      'Copy its “Signing secret” (whsec_…), and enter it here.',
    ],
    exampleType: 'invoice.paid',
    example: {
      id: 'evt_1',
      type: 'invoice.payment_failed',
      created: 1_793_525_400,
      data: { object: { id: 'in_1', customer: 'cus_42', amount_due: 4800, currency: 'eur' } },
    },
  },
  hubspot: {
    title: 'HubSpot',
    about: 'CRM: changes of contacts, deals and tickets.',
    secret: 'known',
    secretHelp: 'In HubSpot: your app, tab “Auth”, “Client secret”.',
    steps: [
      'In HubSpot, open your app, tab “Webhooks”, and enter the address as target URL.',
      'Subscribe to changes of contacts, deals or tickets.',
      'Copy the “Client secret” of tab “Auth”, and enter it here.',
    ],
    exampleType: 'contact.creation',
    example: [
      {
        eventId: 1,
        subscriptionId: 12,
        occurredAt: 1_793_525_400_000,
        subscriptionType: 'contact.propertyChange',
        objectId: 1246965,
        propertyName: 'lifecyclestage',
        propertyValue: 'customer',
      },
    ],
  },
  intercom: {
    title: 'Intercom',
    about: 'Customer messaging: conversations, replies and ratings.',
    secret: 'known',
    secretHelp: 'In Intercom: Developer Hub, your app, “Basic information”, “Client secret”.',
    steps: [
      'In the Developer Hub of Intercom, open your app, “Webhooks”, and enter the address as endpoint URL.',
      'Choose its topics, such as conversation.admin.replied.',
      'Copy the “Client secret” of “Basic information”, and enter it here.',
    ],
    exampleType: 'conversation.admin.closed',
    example: {
      type: 'notification_event',
      id: 'notif_1',
      topic: 'conversation.admin.replied',
      created_at: 1_793_525_400,
      data: { item: { type: 'conversation', id: '123', user: { user_id: 'u_42' } } },
    },
  },
  customerio: {
    title: 'Customer.io',
    about: 'Customer messaging: what became of e-mails and subscriptions.',
    secret: 'later',
    secretHelp: 'In Customer.io: Integrations, “Reporting webhooks”, “Webhook signing key”.',
    steps: [
      'In Customer.io, open Integrations, “Reporting webhooks”, and add one with the address.',
      'Choose its events, such as “Email opened”.',
      'Copy its “Webhook signing key”, and enter it here.',
    ],
    exampleType: 'email.opened',
    example: {
      event_id: '01E4C4C6P79C12J5A6KPE6XNFD',
      object_type: 'email',
      metric: 'opened',
      timestamp: 1_793_525_400,
      data: { identifiers: { id: 'u_42' }, subject: 'Your order', recipient: 'ada@example.com' },
    },
  },
}
