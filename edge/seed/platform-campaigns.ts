// Defines a campaign of the demo organisation for each platform of connectors, on an event that its source makes by default.

import type { SourceMapping } from '../../contract/resources/source-mapping.ts'
import type { ConnectorPlatform } from '../../contract/tenant.ts'
import type { DefinitionInput } from '../campaign/definition.ts'

const stripePaymentFailed: DefinitionInput = {
  key: 'stripe-payment-failed',
  name: 'Payment failed (from Stripe)',
  category: 'billing',
  trigger: { event: 'stripe.payment_intent.payment_failed' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      // Stripe counts in cents.
      title:
        'Your payment of {{ event.properties.amount | divided_by: 100.0 }} {{ event.properties.currency | upcase }} failed',
      body: '{{ event.properties.last_payment_error.message | default: "Your bank gave no reason." }}{% if event.properties.last_payment_error.payment_method.card.last4 %} It was the card that ends in {{ event.properties.last_payment_error.payment_method.card.last4 }}.{% endif %} We keep your plants for three days.',
      link: '/orders/{{ event.properties.metadata.orderId }}',
      actions: [
        { label: 'Pay another way', link: '/orders/{{ event.properties.metadata.orderId }}', style: 'primary' },
      ],
      icon: 'error',
      priority: 'high',
      entity: 'order:{{ event.properties.metadata.orderId }}',
    },
  ],
}

const segmentOrderCompleted: DefinitionInput = {
  key: 'segment-order-completed',
  name: 'Order completed (from Segment)',
  category: 'orders',
  // A track call keeps its own name.
  trigger: { event: 'Order Completed' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Thank you for order {{ event.properties.order_id }}',
      body: '{% for product in event.properties.products %}{{ product.quantity }} × {{ product.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}: {{ event.properties.total }} {{ event.properties.currency }}. It leaves the greenhouse today.',
      link: '/orders/{{ event.properties.order_id }}',
      icon: 'success',
      entity: 'order:{{ event.properties.order_id }}',
    },
  ],
}

/** The property of a contact in which the shop's advisers write the shop's own id of the user. */
const LINK_PROPERTY = 'shop_user_id'

const hubspotContactLinked: DefinitionInput = {
  key: 'hubspot-contact-linked',
  name: 'Plant advice linked (from HubSpot)',
  category: 'account',
  trigger: {
    event: 'hubspot.contact.propertyChange',
    where: `event.properties.propertyName == "${LINK_PROPERTY}"`,
  },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Plant advice knows your plants now',
      body: 'Our advisers have linked your account with your contact {{ event.properties.objectId }}. When you call, nobody asks you again what you bought.',
      link: '/care',
      icon: 'info',
      entity: 'user:{{ user.id }}',
    },
  ],
}

const REPLY = 'event.properties.conversation_parts.conversation_parts[0]'

const intercomReply: DefinitionInput = {
  key: 'intercom-reply',
  name: 'Answer in a conversation (from Intercom)',
  category: 'community',
  trigger: { event: 'intercom.conversation.admin.replied' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: `{{ ${REPLY}.author.name | default: "The greenhouse" }} answered you`,
      // Intercom sends HTML.
      body: `“{{ ${REPLY}.body | strip_html | truncate: 180 }}”`,
      link: '/care',
      icon: 'info',
      entity: 'conversation:{{ event.properties.id }}',
    },
  ],
}

const customerioBounced: DefinitionInput = {
  key: 'customerio-email-bounced',
  name: 'Mail bounced (from Customer.io)',
  category: 'account',
  trigger: { event: 'customerio.email.bounced' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Our mail to {{ event.properties.recipient }} came back',
      body: '“{{ event.properties.subject }}” did not reach you: {{ event.properties.failure_message | truncate: 160 }} Is the address still right?',
      icon: 'warning',
      entity: 'user:{{ user.id }}',
    },
  ],
}

export const PLATFORM_CAMPAIGNS: readonly DefinitionInput[] = [
  stripePaymentFailed,
  segmentOrderCompleted,
  hubspotContactLinked,
  intercomReply,
  customerioBounced,
]

/**
 * Mappings of the demo's sources that differ from those of their platforms. HubSpot names contacts by numbers of its own:
 * the user is the new value of the property that links them.
 */
export const PLATFORM_MAPPINGS: Partial<Record<ConnectorPlatform, readonly SourceMapping[]>> = {
  hubspot: [
    { providerEvent: 'contact.propertyChange', event: null, userIdPath: 'propertyValue', propertiesPath: null },
  ],
}
