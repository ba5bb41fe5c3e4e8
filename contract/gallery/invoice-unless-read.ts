// Describes the campaign that announces an invoice, and mails it to whoever has not seen it in the inbox.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

const NUMBER = '{{ event.properties.invoiceId }}'
const AMOUNT = '{{ event.properties.total | money: event.properties.currency }}'
const DAY = '{{ event.properties.dueOn | date: "%-d %B %Y" }}'

export const invoiceUnlessRead: GalleryCampaign = {
  text: 'Puts an invoice into the inbox, waits an hour, and sends a mail only to whoever has not read it there.',
  definition: {
    key: 'invoice-unless-read',
    name: 'Invoice, by mail unless read',
    category: 'billing',
    trigger: { event: 'invoice.issued' },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: `Invoice ${NUMBER}: ${AMOUNT}`,
        body: `For {{ event.properties.period }}, due on ${DAY}.`,
        link: `/invoices/${NUMBER}`,
        actions: [{ label: 'See the invoice', link: `/invoices/${NUMBER}`, style: 'primary' }],
        icon: 'info',
        entity: `invoice:${NUMBER}`,
        locales: {
          de: {
            title: `Rechnung ${NUMBER}: ${AMOUNT}`,
            body: `Für {{ event.properties.period }}, fällig am ${DAY}.`,
          },
        },
      },
      { id: 'pause', type: 'delay', for: 'PT1H' },
      {
        id: 'mail',
        type: 'email',
        subject: `Invoice ${NUMBER}: ${AMOUNT}`,
        preheader: `Due on ${DAY}.`,
        markdown: paragraphs(
          `# Invoice ${NUMBER}`,
          HELLO,
          'Thank you for working with us. Here is your invoice for {{ event.properties.period }}:',
          `- Amount: **${AMOUNT}**\n- Due on: ${DAY}`,
          `[See the invoice](/invoices/${NUMBER})`,
          'If you pay by card, there is nothing to do: we charge it on the due date.',
        ),
        unless: { read: 'tell' },
        locales: {
          de: {
            subject: `Rechnung ${NUMBER}: ${AMOUNT}`,
            preheader: `Fällig am ${DAY}.`,
            markdown: paragraphs(
              `# Rechnung ${NUMBER}`,
              HALLO,
              'danke für die Zusammenarbeit. Hier ist deine Rechnung für {{ event.properties.period }}:',
              `- Betrag: **${AMOUNT}**\n- Fällig am: ${DAY}`,
              `[Rechnung ansehen](/invoices/${NUMBER})`,
              'Wenn du mit Karte zahlst, ist nichts zu tun: wir buchen den Betrag am Fälligkeitstag ab.',
            ),
          },
        },
      },
    ],
  },
  sample: { invoiceId: 'R-2027-118', total: 148.5, currency: 'EUR', period: '02/2027', dueOn: '2027-03-15' },
}
