// Describes the campaign that compares two texts: half of the users gets each, and the funnel shows which one works.

import type { GalleryCampaign } from './gallery-campaign.ts'

const SHARE = '{{ event.properties.used | times: 1.0 | divided_by: event.properties.limit | number: style: "percent" }}'
const COMMON = {
  type: 'inbox',
  link: '/plans',
  icon: 'info',
  collapseKey: 'plan-limit',
  expiresAfter: 'P14D',
}

export const twoTexts: GalleryCampaign = {
  text: 'Tells users who come near the limit of their plan in one of two texts, half each; the funnel by branch shows which one works.',
  definition: {
    key: 'plan-limit-near',
    name: 'Plan limit near (A/B of two texts)',
    category: 'account',
    trigger: { event: 'plan.limit-near', where: 'event.properties.used < event.properties.limit' },
    steps: [
      { id: 'weekly', type: 'throttle', limit: 1, window: 'P7D' },
      {
        id: 'text',
        type: 'branch',
        branches: [
          {
            key: 'numbers',
            weight: 50,
            steps: [
              {
                ...COMMON,
                id: 'numbers',
                title: `You have used ${SHARE} of your {{ event.properties.noun }}`,
                body: '{{ event.properties.used }} of {{ event.properties.limit }}. The next plan has ten times as many.',
                actions: [{ label: 'Compare the plans', link: '/plans', style: 'primary' }],
                locales: {
                  de: {
                    title: `Du hast ${SHARE} deiner {{ event.properties.noun }} genutzt`,
                    body: '{{ event.properties.used }} von {{ event.properties.limit }}. Der nächste Tarif hat zehnmal so viele.',
                  },
                },
              },
            ],
          },
          {
            key: 'room',
            weight: 50,
            steps: [
              {
                ...COMMON,
                id: 'room',
                title:
                  'Room for {{ event.properties.limit | minus: event.properties.used }} more {{ event.properties.noun }}',
                body: 'You are growing. Make room before you need it: the next plan takes a minute, and the first month is on us.',
                actions: [{ label: 'Make room', link: '/plans', style: 'primary' }],
                locales: {
                  de: {
                    title:
                      'Noch Platz für {{ event.properties.limit | minus: event.properties.used }} {{ event.properties.noun }}',
                    body: 'Du wächst. Schaffe Platz, bevor du ihn brauchst: der Wechsel dauert eine Minute, und der erste Monat geht auf uns.',
                  },
                },
              },
            ],
          },
        ],
      },
    ],
  },
  sample: { noun: 'contacts', used: 870, limit: 1000 },
}
