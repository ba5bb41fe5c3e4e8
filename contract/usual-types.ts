// Lists the types of each platform that most customers use: the mappings of a new source.

import type { SourceMapping } from './resources/source-mapping.ts'
import type { ConnectorPlatform } from './tenant.ts'

export const USUAL_TYPES: Readonly<Record<ConnectorPlatform, readonly string[]>> = {
  segment: ['identify', 'group', '*'],
  stripe: [
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'invoice.paid',
    'invoice.payment_failed',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'charge.dispute.created',
    'payout.paid',
    'payout.failed',
  ],
  hubspot: [
    'contact.creation',
    'contact.propertyChange',
    'contact.deletion',
    'deal.creation',
    'deal.propertyChange',
    'ticket.creation',
    'ticket.propertyChange',
  ],
  intercom: [
    'conversation.user.created',
    'conversation.user.replied',
    'conversation.admin.replied',
    'conversation.admin.closed',
    'conversation.rating.added',
  ],
  customerio: [
    'email.sent',
    'email.delivered',
    'email.opened',
    'email.clicked',
    'email.bounced',
    'email.unsubscribed',
    'customer.subscribed',
    'customer.unsubscribed',
  ],
  hmac: [],
  standardwebhooks: [],
}

/** @returns mappings that change nothing: types that people see and may change */
export function plainMappings(types: readonly string[]): SourceMapping[] {
  return types.map((providerEvent) => ({ providerEvent, event: null, userIdPath: null, propertiesPath: null }))
}
