// Defines the campaigns of the demo organisation: orders, welcome, comment replies, invoices, plant care and restock.

import type { DefinitionInput, StepInput } from '../campaign/definition.ts'
import { PLATFORM_CAMPAIGNS } from './platform-campaigns.ts'

/** The greeting of a mail, also to a user without a name. */
const HELLO = 'Hello{% if user.name %} {{ user.name | split: " " | first }}{% endif %},'

const orderShipped: DefinitionInput = {
  key: 'order-shipped',
  name: 'Order shipped',
  category: 'orders',
  trigger: { event: 'order.shipped' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Your order {{ event.properties.orderId }} is on its way',
      body: '{{ event.properties.summary | default: "Everything you ordered" }} left the greenhouse{% if event.properties.carrier %} with {{ event.properties.carrier }}{% endif %}. Water it lightly when it arrives, then leave it alone for a day.',
      link: '/orders/{{ event.properties.orderId }}',
      actions: [{ label: 'Track it', link: '/orders/{{ event.properties.orderId }}#parcel', style: 'primary' }],
      icon: 'success',
      priority: 'normal',
      entity: 'order:{{ event.properties.orderId }}',
      expiresAfter: 'P30D',
      data: { orderId: '{{ event.properties.orderId }}' },
      locales: {
        de: {
          title: 'Deine Bestellung {{ event.properties.orderId }} ist unterwegs',
          body: 'Sie hat das Gewächshaus verlassen. Gieße sie bei der Ankunft ein wenig und lass ihr dann einen Tag Ruhe.',
        },
      },
    },
  ],
}

// The event has only the order number; an enricher reads the goods from the shop's backend. The mail goes only to who has
// not read the message by then.
const orderDelivered: DefinitionInput = {
  key: 'order-delivered',
  name: 'Order delivered (asks the shop)',
  category: 'orders',
  trigger: { event: 'order.delivered' },
  steps: [
    {
      id: 'details',
      type: 'enrich',
      enricher: 'order-details',
      params: { orderId: '{{ event.properties.orderId }}' },
      onError: 'continue',
    },
    {
      id: 'tell',
      type: 'inbox',
      title: 'Your order {{ event.properties.orderId }} is at your door',
      body: '{% if enriched.details %}{% for line in enriched.details.lines %}{{ line.count }} × {{ line.plant }}{% unless forloop.last %}, {% endunless %}{% endfor %}: {{ enriched.details.total }} {{ enriched.details.currency }}. {% endif %}Open it today, they have been in the dark for long enough.',
      link: '/orders/{{ event.properties.orderId }}',
      icon: 'success',
      entity: 'order:{{ event.properties.orderId }}',
      data: { plants: '{{ enriched.details.plants }}' },
    },
    { id: 'wait', type: 'delay', for: 'PT10S' },
    {
      id: 'mail',
      type: 'email',
      subject: 'Your order {{ event.properties.orderId }} is at your door',
      preheader: 'Open it today: your plants have been in the dark for long enough.',
      markdown: [
        '# Your plants are at the door',
        '',
        HELLO,
        '',
        'Green Post has just left your order **{{ event.properties.orderId }}** with you. Open it today: your plants have been in the dark for long enough.',
        '{% if enriched.details %}',
        '{% for line in enriched.details.lines %}- {{ line.count }} × {{ line.plant }}',
        '{% endfor %}',
        'Together **{{ enriched.details.total }} {{ enriched.details.currency }}**.',
        '{% endif %}',
        '[See your order](/orders/{{ event.properties.orderId }})',
        '',
        'A little water, a bright place without sun, and a day of rest: that is all they need now.',
      ].join('\n'),
      unless: { read: 'tell' },
    },
  ],
}

const welcome: DefinitionInput = {
  key: 'welcome',
  name: 'Welcome',
  category: 'account',
  trigger: { event: 'user.signed-up' },
  steps: [
    {
      id: 'hello',
      type: 'inbox',
      title: 'Welcome to Loam{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}',
      body: [
        'Glad to have you. Three things worth knowing:',
        '',
        '- Every plant comes with **30 days of growing guarantee**.',
        '- The [care guide](/care) fits on one page.',
        '- Order before *noon* and it travels the same day.',
      ].join('\n'),
      bodyFormat: 'markdown',
      link: '/care',
      actions: [
        { label: 'Read the care guide', link: '/care', style: 'primary' },
        { label: 'See all plants', link: '/', style: 'default' },
      ],
      icon: 'info',
      entity: 'user:{{ user.id }}',
    },
    {
      id: 'mail',
      type: 'email',
      subject: 'Welcome to Loam{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}',
      preheader: 'Three things worth knowing before your first plant arrives.',
      markdown: [
        '# Welcome to Loam',
        '',
        HELLO,
        '',
        'Glad to have you. Three things worth knowing before your first plant arrives:',
        '',
        '- Every plant comes with **30 days of growing guarantee**.',
        '- The [care guide](/care) fits on one page.',
        '- Order before *noon* and it travels the same day.',
        '',
        '[See all plants](/)',
      ].join('\n'),
    },
  ],
}

const comment: DefinitionInput = {
  key: 'comment',
  name: 'Answer to a comment',
  category: 'community',
  trigger: { event: 'comment.created', where: 'event.properties.author != event.userId' },
  steps: [
    {
      id: 'answer',
      type: 'inbox',
      title: '{{ event.properties.author }} answered you about {{ event.properties.plant }}',
      body: '“{{ event.properties.text | truncate: 180 }}”',
      link: '/plants/{{ event.properties.slug }}#comments',
      icon: '{{ event.properties.avatar }}',
      imageUrl: '{{ event.properties.photo }}',
      priority: 'normal',
      entity: 'plant:{{ event.properties.slug }}',
      collapseKey: 'comment:{{ event.properties.slug }}',
    },
  ],
}

const plainInvoice: Extract<StepInput, { type: 'inbox' }> = {
  id: 'plain',
  type: 'inbox',
  title: 'Invoice {{ event.properties.invoiceId }} is ready',
  body: '{{ event.properties.total }} {{ event.properties.currency }}, due on {{ event.properties.dueOn }}.',
  link: '/invoices/{{ event.properties.invoiceId }}',
  icon: 'info',
  entity: 'invoice:{{ event.properties.invoiceId }}',
}

const invoice: DefinitionInput = {
  key: 'invoice',
  name: 'Invoice (with branches)',
  category: 'billing',
  trigger: { event: 'invoice.issued' },
  steps: [
    {
      id: 'size',
      type: 'branch',
      branches: [
        {
          key: 'overdue',
          when: 'event.properties.daysOverdue > 0',
          steps: [
            {
              ...plainInvoice,
              id: 'overdue',
              title: 'Invoice {{ event.properties.invoiceId }} is {{ event.properties.daysOverdue }} days overdue',
              body: '{{ event.properties.total }} {{ event.properties.currency }} are still open. If it was paid meanwhile, forget this note.',
              actions: [{ label: 'Pay now', link: '/invoices/{{ event.properties.invoiceId }}#pay', style: 'danger' }],
              icon: 'error',
              priority: 'urgent',
            },
          ],
        },
        {
          key: 'large',
          when: 'event.properties.total > 500',
          steps: [
            {
              ...plainInvoice,
              id: 'large',
              title: 'A large invoice: {{ event.properties.total }} {{ event.properties.currency }}',
              body: 'Invoice {{ event.properties.invoiceId }} may be paid in three parts, without a fee. Due on {{ event.properties.dueOn }}.',
              actions: [
                {
                  label: 'Pay in three parts',
                  link: '/invoices/{{ event.properties.invoiceId }}#parts',
                  style: 'primary',
                },
              ],
              icon: 'warning',
              priority: 'high',
            },
          ],
        },
        { key: 'short', weight: 50, steps: [plainInvoice] },
        {
          key: 'warm',
          weight: 50,
          steps: [
            {
              ...plainInvoice,
              id: 'warm',
              title: 'Thank you! Here is invoice {{ event.properties.invoiceId }}',
              body: 'We hope all your plants arrived well. {{ event.properties.total }} {{ event.properties.currency }}, due on {{ event.properties.dueOn }}.',
            },
          ],
        },
      ],
    },
    {
      id: 'mail',
      type: 'email',
      subject:
        'Invoice {{ event.properties.invoiceId }}: {{ event.properties.total }} {{ event.properties.currency }}{% if event.properties.daysOverdue > 0 %}, overdue{% endif %}',
      preheader: 'Due on {{ event.properties.dueOn }}.',
      markdown: [
        '# Invoice {{ event.properties.invoiceId }}',
        '',
        HELLO,
        '',
        '{% if event.properties.daysOverdue > 0 %}This invoice is **{{ event.properties.daysOverdue }} days overdue**. If you paid it meanwhile, forget this mail.{% else %}Thank you for your order. Here is its invoice.{% endif %}',
        '',
        '- Amount: **{{ event.properties.total }} {{ event.properties.currency }}**',
        '- Due on: {{ event.properties.dueOn }}',
        '',
        '[See the invoice](/invoices/{{ event.properties.invoiceId }})',
      ].join('\n'),
    },
  ],
}

const thirsty: DefinitionInput = {
  key: 'plant-thirsty',
  name: 'Thirsty plant',
  category: 'care',
  trigger: { event: 'plant.thirsty' },
  steps: [
    {
      id: 'water',
      type: 'inbox',
      title: 'Your {{ event.properties.plant }} is thirsty',
      body: 'Soil at {{ event.properties.moisture }} %. {{ event.properties.millilitres | default: 200 }} ml will do.',
      link: '/plants/{{ event.properties.slug }}',
      icon: 'warning',
      priority: 'low',
      entity: 'plant:{{ event.properties.slug }}',
      collapseKey: 'thirsty:{{ event.properties.slug }}',
      expiresAfter: 'P2D',
    },
  ],
}

const restocked: DefinitionInput = {
  key: 'plant-restocked',
  name: 'Back in the greenhouse',
  category: 'waitlist',
  trigger: { event: 'plant.restocked' },
  steps: [
    {
      id: 'back',
      type: 'inbox',
      title: '{{ event.properties.plant }} is back',
      body: '{{ event.properties.stock }} of them, and {{ event.properties.waiting }} people were waiting with you.',
      link: '/plants/{{ event.properties.slug }}',
      actions: [{ label: 'Have a look', link: '/plants/{{ event.properties.slug }}', style: 'primary' }],
      icon: 'success',
      priority: 'high',
      entity: 'plant:{{ event.properties.slug }}',
    },
  ],
}

export const DEMO_CAMPAIGNS: readonly DefinitionInput[] = [
  orderShipped,
  orderDelivered,
  welcome,
  comment,
  invoice,
  thirsty,
  restocked,
  ...PLATFORM_CAMPAIGNS,
]
