// Campaigns and events that fill an inbox with what real sites send: the widget's pictures and browser tests use them over the real edge.

import type { GivenEdge } from '../../edge/test/support/given.ts'

const CAMPAIGNS = [
  {
    event: 'order.shipped',
    category: 'orders',
    title: 'Order {{ event.properties.orderId }} is on its way',
    body: 'Your parcel left our warehouse in **Rotterdam** and should arrive on *Thursday*.\n\n- Walnut desk lamp\n- Two linen cushions\n\nYou can [change the delivery](https://example.com/delivery) until tonight.',
    bodyFormat: 'markdown',
    icon: 'success',
    link: '/orders/{{ event.properties.orderId }}',
    actions: [
      { label: 'Track parcel', link: '/track/{{ event.properties.orderId }}', style: 'primary' },
      { label: 'Contact us', link: 'mailto:help@example.com', style: 'default' },
    ],
  },
  {
    event: 'comment.added',
    category: 'mentions',
    title: '{{ event.properties.who }} mentioned you in “{{ event.properties.where }}”',
    body: '{{ event.properties.text }}',
  },
  {
    event: 'payment.failed',
    category: 'billing',
    title: 'Your card was declined',
    body: 'We could not charge the card ending in 4242 for your subscription. Please update it before Friday to keep your plan.',
    icon: 'error',
    priority: 'urgent',
    actions: [{ label: 'Update card', link: '/billing', style: 'danger' }],
  },
  {
    event: 'usage.high',
    category: 'account',
    title: 'You have used 90 % of your storage',
    body: '18 GB of 20 GB are taken. Remove old exports, or move to a larger plan.',
    icon: 'warning',
    link: '/storage',
  },
  {
    event: 'release.published',
    category: 'product-news',
    title: 'New: a calmer dashboard',
    body: 'Charts load twice as fast, filters stay where you left them, and dark mode follows your system.',
    icon: 'info',
    priority: 'high',
    link: 'https://example.com/changelog',
  },
]

export async function publishSamples(edge: GivenEdge): Promise<void> {
  for (const { event, category, ...step } of CAMPAIGNS) {
    await edge.publish({
      key: event.replace('.', '-'),
      name: event,
      category,
      trigger: { event },
      steps: [{ id: 'tell', type: 'inbox', ...step }],
    })
  }
}

const EVENTS: [name: string, properties: Record<string, string>][] = [
  ['release.published', {}],
  [
    'comment.added',
    {
      who: 'Tomás Okafor',
      where: 'Spring launch',
      text: 'I moved the photo session to Wednesday morning, is that fine with you?',
    },
  ],
  ['usage.high', {}],
  ['order.shipped', { orderId: 'HG-20481' }],
  [
    'comment.added',
    {
      who: 'Ingrid Sørensen',
      where: 'Homepage copy',
      text: 'Shorter is better here. I would drop the second sentence and keep the first.',
    },
  ],
  ['payment.failed', {}],
  ['order.shipped', { orderId: 'HG-20517' }],
]

/** Seven messages, oldest first; answers when the inbox has them. */
export async function fillInbox(edge: GivenEdge, userId: string, times = 1): Promise<void> {
  for (let round = 0; round < times; round++) {
    for (const [name, properties] of EVENTS) {
      const { status, body } = await edge.track({ name, userId, properties })
      if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`)
    }
  }
}
