// Describes the campaign that reminds of a cart, unless its order comes in time.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

const TOTAL = '{{ event.properties.total | money: event.properties.currency }}'
const LIST = '{% for item in event.properties.items limit: 5 %}- {{ item.count }} × {{ item.name }}\n{% endfor %}'

export const abandonedCart: GalleryCampaign = {
  text: 'Waits four hours for the order of a filled cart; when it does not come, reminds once in the inbox, and a day later by mail.',
  definition: {
    key: 'abandoned-cart',
    name: 'Abandoned cart',
    category: 'shopping',
    trigger: { event: 'cart.updated', where: 'size(event.properties.items) > 0' },
    steps: [
      { id: 'once', type: 'throttle', limit: 1, window: 'P3D' },
      {
        id: 'order',
        type: 'waitFor',
        event: 'order.placed',
        timeout: 'PT4H',
        then: [{ id: 'bought', type: 'exit', reason: 'bought' }],
        onTimeout: [
          {
            id: 'remind',
            type: 'inbox',
            title: 'Your cart is waiting for you',
            body: `${LIST}\nTogether ${TOTAL}. We keep it for a week.`,
            bodyFormat: 'markdown',
            link: '/cart',
            actions: [{ label: 'Go to the cart', link: '/cart', style: 'primary' }],
            icon: 'info',
            collapseKey: 'cart',
            expiresAfter: 'P7D',
            locales: {
              de: {
                title: 'Dein Warenkorb wartet auf dich',
                body: `${LIST}\nZusammen ${TOTAL}. Wir heben ihn eine Woche lang auf.`,
              },
            },
          },
        ],
      },
      {
        id: 'later',
        type: 'waitFor',
        event: 'order.placed',
        timeout: 'P1D',
        then: [{ id: 'bought-later', type: 'exit', reason: 'bought' }],
        onTimeout: [
          {
            id: 'mail',
            type: 'email',
            subject: 'Still thinking it over?',
            preheader: `Your cart of ${TOTAL} is where you left it.`,
            markdown: paragraphs(
              '# Your cart is where you left it',
              HELLO,
              'You chose these, and we keep them for a week:',
              LIST,
              `Together **${TOTAL}**. You can return everything within 30 days, at no cost.`,
              '[Go to the cart](/cart)',
            ),
            unless: { read: 'remind' },
            locales: {
              de: {
                subject: 'Noch am Überlegen?',
                preheader: `Dein Warenkorb für ${TOTAL} ist noch da.`,
                markdown: paragraphs(
                  '# Dein Warenkorb ist noch da',
                  HALLO,
                  'das hast du ausgesucht, und wir heben es eine Woche lang auf:',
                  LIST,
                  `Zusammen **${TOTAL}**. Alles kannst du 30 Tage lang kostenlos zurückgeben.`,
                  '[Zum Warenkorb](/cart)',
                ),
              },
            },
          },
        ],
      },
    ],
  },
  sample: {
    total: 134,
    currency: 'EUR',
    items: [
      { name: 'Desk lamp, oak', count: 1 },
      { name: 'Notebook, dotted', count: 3 },
    ],
  },
}
