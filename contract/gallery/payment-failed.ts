// Describes the campaign that asks for another card when Stripe could not charge an invoice, until it is paid.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

// Stripe counts in cents.
const AMOUNT = '{{ event.properties.amount_due | divided_by: 100.0 | money: event.properties.currency }}'
const NUMBER = '{{ event.properties.number }}'
const INVOICE = '{{ event.properties.id }}'

export const paymentFailed: GalleryCampaign = {
  text: 'When Stripe could not charge an invoice, asks for another card in the inbox and by mail, and again after three days unless it was paid.',
  definition: {
    key: 'payment-failed',
    name: 'Payment failed (from Stripe)',
    category: 'billing',
    trigger: { event: 'stripe.invoice.payment_failed' },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: `We could not charge ${AMOUNT}`,
        body: `Your bank declined the payment of invoice ${NUMBER}. Nothing is lost: update your card, and we try again.`,
        link: '/billing',
        actions: [{ label: 'Update the card', link: '/billing/card', style: 'primary' }],
        icon: 'error',
        priority: 'urgent',
        entity: `invoice:${INVOICE}`,
        collapseKey: `invoice:${INVOICE}`,
        locales: {
          de: {
            title: `Wir konnten ${AMOUNT} nicht abbuchen`,
            body: `Deine Bank hat die Zahlung der Rechnung ${NUMBER} abgelehnt. Nichts ist verloren: ändere deine Karte, und wir versuchen es noch einmal.`,
          },
        },
      },
      {
        id: 'mail',
        type: 'email',
        subject: `We could not charge ${AMOUNT}`,
        preheader: 'Update your card, and we try again.',
        markdown: paragraphs(
          '# We could not charge your card',
          HELLO,
          `Your bank declined the payment of **${AMOUNT}** for invoice ${NUMBER}. This happens: a card expires, or a limit is reached.`,
          'Your account stays as it is. Update your card, and we try again.',
          '[Update the card](/billing/card)',
        ),
        locales: {
          de: {
            subject: `Wir konnten ${AMOUNT} nicht abbuchen`,
            preheader: 'Ändere deine Karte, und wir versuchen es noch einmal.',
            markdown: paragraphs(
              '# Wir konnten deine Karte nicht belasten',
              HALLO,
              `deine Bank hat die Zahlung von **${AMOUNT}** für die Rechnung ${NUMBER} abgelehnt. Das kommt vor: eine Karte läuft ab, oder ein Limit ist erreicht.`,
              'Dein Konto bleibt, wie es ist. Ändere deine Karte, und wir versuchen es noch einmal.',
              '[Karte ändern](/billing/card)',
            ),
          },
        },
      },
      {
        id: 'payment',
        type: 'waitFor',
        event: 'stripe.invoice.paid',
        where: 'awaited.properties.id == event.properties.id',
        timeout: 'P3D',
        then: [
          {
            id: 'thanks',
            type: 'inbox',
            title: `Thank you: invoice ${NUMBER} is paid`,
            body: `We received ${AMOUNT}. There is nothing left to do.`,
            link: '/billing',
            icon: 'success',
            priority: 'low',
            entity: `invoice:${INVOICE}`,
            collapseKey: `invoice:${INVOICE}`,
            locales: {
              de: {
                title: `Danke: die Rechnung ${NUMBER} ist bezahlt`,
                body: `Wir haben ${AMOUNT} erhalten. Es ist nichts mehr zu tun.`,
              },
            },
          },
        ],
        onTimeout: [
          {
            id: 'reminder',
            type: 'email',
            subject: `Reminder: ${AMOUNT} of invoice ${NUMBER} are open`,
            preheader: 'Your account is paused in four days unless the card is updated.',
            markdown: paragraphs(
              `# ${AMOUNT} are open`,
              HELLO,
              `Three days ago we could not charge your card for invoice ${NUMBER}, and it is still open. To keep your account running, please update your card within four days.`,
              '[Update the card](/billing/card)',
              'You paid meanwhile? Then please forget this mail.',
            ),
            locales: {
              de: {
                subject: `Erinnerung: ${AMOUNT} der Rechnung ${NUMBER} sind offen`,
                preheader: 'Dein Konto pausiert in vier Tagen, wenn die Karte nicht geändert wird.',
                markdown: paragraphs(
                  `# ${AMOUNT} sind offen`,
                  HALLO,
                  `vor drei Tagen konnten wir deine Karte für die Rechnung ${NUMBER} nicht belasten, und sie ist noch offen. Damit dein Konto weiterläuft, ändere bitte innerhalb von vier Tagen deine Karte.`,
                  '[Karte ändern](/billing/card)',
                  'Du hast inzwischen bezahlt? Dann ist diese Mail gegenstandslos.',
                ),
              },
            },
          },
        ],
      },
    ],
  },
  sample: {
    id: 'in_1Q9x7LwrQ4dXz3',
    number: 'F3C1A5-0007',
    amount_due: 4900,
    currency: 'eur',
    attempt_count: 1,
    customer: 'cus_R2aB7Lm1',
  },
}
