// Describes the campaign that sums up a week in one mail, outside of the quiet hours.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

const LIST =
  '{% for e in events limit: 20 %}- [{{ e.properties.title }}](/tasks/{{ e.properties.taskId }}){% if e.properties.project %}, {{ e.properties.project }}{% endif %}\n{% endfor %}'

export const weeklySummary: GalleryCampaign = {
  text: 'Gathers what a user completed in a week, waits for the end of the quiet hours, and sums it up in the inbox and by mail.',
  definition: {
    key: 'weekly-summary',
    name: 'Weekly summary',
    category: 'summaries',
    trigger: { event: 'task.completed' },
    steps: [
      { id: 'week', type: 'digest', window: 'P7D' },
      { id: 'awake', type: 'delay', untilQuietHoursEnd: true },
      {
        id: 'note',
        type: 'inbox',
        title: 'Your week: {{ events | plural: one: "# task", other: "# tasks" }} completed',
        body: 'The newest one was “{{ events.last.properties.title }}”. See what is next.',
        link: '/summary',
        icon: 'success',
        priority: 'low',
        collapseKey: 'weekly-summary',
        expiresAfter: 'P14D',
        locales: {
          de: {
            title: 'Deine Woche: {{ events | plural: one: "# Aufgabe", other: "# Aufgaben" }} erledigt',
            body: 'Zuletzt „{{ events.last.properties.title }}“. Sieh dir an, was als Nächstes kommt.',
          },
        },
      },
      {
        id: 'mail',
        type: 'email',
        subject: 'Your week: {{ events | plural: one: "# task", other: "# tasks" }} completed',
        preheader: 'What you got done, and what is next.',
        markdown: paragraphs(
          '# Your week',
          HELLO,
          'You completed **{{ events | plural: one: "# task", other: "# tasks" }}** this week:',
          LIST,
          '{% if events.size > 20 %}… and {{ events.size | minus: 20 }} more.{% endif %}',
          '[See what is next](/summary)',
        ),
        locales: {
          de: {
            subject: 'Deine Woche: {{ events | plural: one: "# Aufgabe", other: "# Aufgaben" }} erledigt',
            preheader: 'Was du geschafft hast, und was als Nächstes kommt.',
            markdown: paragraphs(
              '# Deine Woche',
              HALLO,
              'diese Woche hast du **{{ events | plural: one: "# Aufgabe", other: "# Aufgaben" }}** erledigt:',
              LIST,
              '{% if events.size > 20 %}… und {{ events.size | minus: 20 }} weitere.{% endif %}',
              '[Was als Nächstes kommt](/summary)',
            ),
          },
        },
      },
    ],
  },
  sample: { taskId: 't-31', title: 'Review the contract', project: 'Launch' },
}
