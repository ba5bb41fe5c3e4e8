// Defines the campaigns of mails that benchmarks send, and the events that start them.

import { sharedNow } from './machine-clock.ts'

const MAIL_STEP = {
  id: 'mail',
  type: 'email',
  // The SMTP server reads mark and instant from the subject.
  subject: 'Order {{ event.properties.mark }}@{{ event.properties.due }}',
  preheader: 'It arrives on {{ event.properties.day }}',
  markdown: `# Thank you, {{ user.name }}

Your order **{{ event.properties.orderId }}** left {{ event.properties.from }} today with {{ event.properties.items }} items.

- Total: {{ event.properties.total }} {{ event.properties.currency }}
- Expected on {{ event.properties.day }}
- To be signed for by an adult

[Track your parcel](https://shop.example/orders/{{ event.properties.orderId }}/parcel)

Is something missing? [Write to us](https://shop.example/help?order={{ event.properties.orderId }}), and we look after it at once.`,
}

/** `data.at` is what `measureFrames` reads. */
const INBOX_STEP = { id: 'message', type: 'inbox', title: 'Your order', data: { at: '{{ event.properties.at }}' } }

export const MAIL_CAMPAIGN = {
  key: 'bench-mailed',
  name: 'Bench mail',
  category: 'bench',
  trigger: { event: 'bench.mailed' },
  steps: [MAIL_STEP],
}

/** An inbox message and a mail for each event. */
export const BOTH_CAMPAIGN = { ...MAIL_CAMPAIGN, key: 'bench-both', steps: [INBOX_STEP, MAIL_STEP] }

const PROPERTIES = { orderId: 'A-4711', from: 'Hamburg', items: 3, total: 129.5, currency: 'EUR', day: '2026-12-01' }

/** Properties with a mark, and with now as the instant at which the event is due. */
export function mailProperties(mark: string): object {
  return { ...PROPERTIES, mark, due: sharedNow().toFixed(2), at: performance.now() }
}

export const mailUser = (userId: string) => ({ email: `${userId}@example.org`, name: 'Ada Lovelace' })

export function mailEvent(mark: string, userId: string): object {
  return { name: 'bench.mailed', userId, user: mailUser(userId), properties: mailProperties(mark) }
}
