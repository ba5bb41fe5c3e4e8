// Describes the campaign of an incident: one message that is replaced when it is resolved, and a mail of a critical one.

import { type GalleryCampaign, paragraphs } from './gallery-campaign.ts'

const ID = '{{ event.properties.incidentId }}'

export const incident: GalleryCampaign = {
  text: 'Tells users of an incident at once, by mail too when it is critical, and replaces the message when it is resolved.',
  definition: {
    key: 'incident',
    name: 'Incident',
    category: 'status',
    trigger: { event: 'incident.opened' },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: '{{ event.properties.service }}: {{ event.properties.title }}',
        body: '{{ event.properties.impact }} We are working on it, and tell you here when it is over.',
        link: `/status/${ID}`,
        actions: [{ label: 'Follow the status', link: `/status/${ID}`, style: 'default' }],
        icon: 'warning',
        priority: 'urgent',
        entity: `incident:${ID}`,
        collapseKey: `incident:${ID}`,
        locales: {
          de: { body: '{{ event.properties.impact }} Wir arbeiten daran und melden uns hier, wenn es behoben ist.' },
        },
      },
      {
        id: 'severity',
        type: 'branch',
        branches: [
          {
            key: 'critical',
            when: 'event.properties.severity == "critical"',
            steps: [
              {
                id: 'mail',
                type: 'email',
                subject: '{{ event.properties.service }}: {{ event.properties.title }}',
                preheader: '{{ event.properties.impact }}',
                markdown: paragraphs(
                  '# {{ event.properties.title }}',
                  'Since {{ event.properties.since | date: "%H:%M" }}, {{ event.properties.service }} does not work as it should. {{ event.properties.impact }}',
                  'Our engineers are working on it. The status page has each step:',
                  `[Follow the status](/status/${ID})`,
                  'We are sorry. After it, we publish what happened and what we change.',
                ),
                locales: {
                  de: {
                    markdown: paragraphs(
                      '# {{ event.properties.title }}',
                      'Seit {{ event.properties.since | date: "%H:%M" }} arbeitet {{ event.properties.service }} nicht, wie es soll. {{ event.properties.impact }}',
                      'Unser Team arbeitet daran. Auf der Statusseite steht jeder Schritt:',
                      `[Status verfolgen](/status/${ID})`,
                      'Es tut uns leid. Danach veröffentlichen wir, was geschehen ist und was wir ändern.',
                    ),
                  },
                },
              },
            ],
          },
        ],
      },
      {
        id: 'end',
        type: 'waitFor',
        event: 'incident.resolved',
        where: 'awaited.properties.incidentId == event.properties.incidentId',
        timeout: 'P2D',
        then: [
          {
            id: 'resolved',
            type: 'inbox',
            title: 'Resolved: {{ event.properties.title }}',
            body: '{{ event.properties.service }} works again. Thank you for your patience.',
            link: `/status/${ID}`,
            icon: 'success',
            entity: `incident:${ID}`,
            collapseKey: `incident:${ID}`,
            locales: {
              de: {
                title: 'Behoben: {{ event.properties.title }}',
                body: '{{ event.properties.service }} funktioniert wieder. Danke für deine Geduld.',
              },
            },
          },
        ],
        onTimeout: [],
      },
    ],
  },
  sample: {
    incidentId: 'inc-204',
    service: 'Payments',
    title: 'Card payments fail',
    impact: 'About one payment in five is declined.',
    severity: 'critical',
    since: '2027-03-01T09:40:00Z',
  },
}
