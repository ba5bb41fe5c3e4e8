// Describes the campaign that tells that an order is on its way.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

const ORDER = '{{ event.properties.orderId }}'
const DAY = '{{ event.properties.arrivesOn | date: "%A, %-d %B" }}'

export const orderShipped: GalleryCampaign = {
  text: 'Tells a customer that an order left the warehouse, when it arrives and where it is, in the inbox and by mail.',
  definition: {
    key: 'order-shipped',
    name: 'Order shipped',
    category: 'orders',
    trigger: { event: 'order.shipped' },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: `Your order ${ORDER} is on its way`,
        body: `{{ event.properties.summary }} left our warehouse with {{ event.properties.carrier }}. It should arrive on ${DAY}.`,
        link: `/orders/${ORDER}`,
        actions: [{ label: 'Track the parcel', link: `/orders/${ORDER}/parcel`, style: 'primary' }],
        icon: 'success',
        entity: `order:${ORDER}`,
        collapseKey: `order:${ORDER}`,
        expiresAfter: 'P30D',
        locales: {
          de: {
            title: `Deine Bestellung ${ORDER} ist unterwegs`,
            body: `{{ event.properties.summary }} hat unser Lager mit {{ event.properties.carrier }} verlassen. Voraussichtliche Ankunft: ${DAY}.`,
          },
        },
      },
      {
        id: 'mail',
        type: 'email',
        subject: `Your order ${ORDER} is on its way`,
        preheader: `It should arrive on ${DAY}.`,
        markdown: paragraphs(
          '# On its way to you',
          HELLO,
          `{{ event.properties.summary }} left our warehouse today with {{ event.properties.carrier }}. It should arrive on **${DAY}**.`,
          `[Track the parcel](/orders/${ORDER}/parcel)`,
          `Nobody at home that day? Choose another day or a neighbour on the [page of your order](/orders/${ORDER}).`,
        ),
        locales: {
          de: {
            subject: `Deine Bestellung ${ORDER} ist unterwegs`,
            preheader: `Voraussichtliche Ankunft: ${DAY}.`,
            markdown: paragraphs(
              '# Unterwegs zu dir',
              HALLO,
              `{{ event.properties.summary }} hat heute unser Lager mit {{ event.properties.carrier }} verlassen. Voraussichtliche Ankunft: **${DAY}**.`,
              `[Sendung verfolgen](/orders/${ORDER}/parcel)`,
              `An dem Tag ist niemand zu Hause? Wähle auf der [Seite deiner Bestellung](/orders/${ORDER}) einen anderen Tag oder eine Nachbarin.`,
            ),
          },
        },
      },
    ],
  },
  sample: {
    orderId: 'A-1042',
    summary: 'Desk lamp, oak',
    carrier: 'Green Post',
    arrivesOn: '2027-03-04',
    total: 89,
    currency: 'EUR',
  },
}
