// Describes the campaign of a trial of fourteen days: a reminder before its end, and a last word after it.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

const PRICE = '{{ event.properties.price | money: event.properties.currency }}'

export const trialEnds: GalleryCampaign = {
  text: 'Reminds of the end of a 14-day trial three days before, in the inbox and by mail, and on the last day, unless the user has subscribed.',
  definition: {
    key: 'trial-ends',
    name: 'Trial ends',
    category: 'account',
    trigger: { event: 'trial.started' },
    steps: [
      {
        id: 'eleven-days',
        type: 'waitFor',
        event: 'subscription.started',
        timeout: 'P11D',
        then: [{ id: 'subscribed', type: 'exit', reason: 'subscribed' }],
        onTimeout: [
          {
            id: 'soon',
            type: 'inbox',
            title: 'Your trial ends in three days',
            body: `Keep what you have built: the {{ event.properties.plan }} plan is ${PRICE} a month, and you can cancel at any time.`,
            link: '/plans',
            actions: [{ label: 'Choose a plan', link: '/plans', style: 'primary' }],
            icon: 'warning',
            priority: 'high',
            collapseKey: 'trial',
            locales: {
              de: {
                title: 'Deine Testphase endet in drei Tagen',
                body: `Behalte, was du aufgebaut hast: der Tarif {{ event.properties.plan }} kostet ${PRICE} im Monat und ist jederzeit kündbar.`,
              },
            },
          },
          {
            id: 'mail',
            type: 'email',
            subject: 'Your trial ends in three days',
            preheader: 'Keep what you have built.',
            markdown: paragraphs(
              '# Three days left',
              HELLO,
              'We hope that the first days went well. Your trial ends in three days.',
              `To keep what you have built, choose a plan. {{ event.properties.plan }} is **${PRICE} a month**, and you can cancel at any time.`,
              '[Choose a plan](/plans)',
              'Not sure yet? Reply to this mail, and we add a week.',
            ),
            locales: {
              de: {
                subject: 'Deine Testphase endet in drei Tagen',
                preheader: 'Behalte, was du aufgebaut hast.',
                markdown: paragraphs(
                  '# Noch drei Tage',
                  HALLO,
                  'wir hoffen, die ersten Tage liefen gut. Deine Testphase endet in drei Tagen.',
                  `Um zu behalten, was du aufgebaut hast, wähle einen Tarif. {{ event.properties.plan }} kostet **${PRICE} im Monat** und ist jederzeit kündbar.`,
                  '[Tarif wählen](/plans)',
                  'Noch nicht sicher? Antworte auf diese Mail, und wir verlängern um eine Woche.',
                ),
              },
            },
          },
        ],
      },
      {
        id: 'last-days',
        type: 'waitFor',
        event: 'subscription.started',
        timeout: 'P3D',
        then: [
          {
            id: 'thanks',
            type: 'inbox',
            title: 'Thank you for staying',
            body: 'Your plan is active, and everything is where you left it.',
            link: '/billing',
            icon: 'success',
            collapseKey: 'trial',
            locales: {
              de: {
                title: 'Danke, dass du bleibst',
                body: 'Dein Tarif ist aktiv, und alles ist, wo du es gelassen hast.',
              },
            },
          },
        ],
        onTimeout: [
          {
            id: 'ended',
            type: 'inbox',
            title: 'Your trial has ended',
            body: 'We keep your data for 30 days. Choose a plan, and everything is where you left it.',
            link: '/plans',
            actions: [{ label: 'Choose a plan', link: '/plans', style: 'primary' }],
            icon: 'info',
            collapseKey: 'trial',
            locales: {
              de: {
                title: 'Deine Testphase ist zu Ende',
                body: 'Wir bewahren deine Daten 30 Tage auf. Wähle einen Tarif, und alles ist, wo du es gelassen hast.',
              },
            },
          },
        ],
      },
    ],
  },
  sample: { plan: 'Team', price: 29, currency: 'EUR' },
}
