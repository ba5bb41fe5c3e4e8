// Describes the campaign that welcomes new users, in the inbox and by mail.

import { type GalleryCampaign, HALLO, HELLO, paragraphs } from './gallery-campaign.ts'

export const welcome: GalleryCampaign = {
  text: 'Greets whoever signs up, in the inbox at once and by mail, with the three steps that make the first day a good one.',
  definition: {
    key: 'welcome',
    name: 'Welcome',
    category: 'account',
    trigger: { event: 'user.signed-up' },
    steps: [
      {
        id: 'hello',
        type: 'inbox',
        title: 'Welcome{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}',
        body: 'Good to have you here. Three steps are enough for a good first day:\n\n1. Complete your [profile](/profile).\n2. Create your first [project](/projects/new).\n3. Invite the people you work with.',
        bodyFormat: 'markdown',
        link: '/start',
        actions: [{ label: 'Get started', link: '/start', style: 'primary' }],
        icon: 'info',
        locales: {
          de: {
            title: 'Willkommen{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}',
            body: 'Schön, dass du da bist. Drei Schritte genügen für einen guten ersten Tag:\n\n1. Ergänze dein [Profil](/profile).\n2. Lege dein erstes [Projekt](/projects/new) an.\n3. Lade die Menschen ein, mit denen du arbeitest.',
          },
        },
      },
      {
        id: 'mail',
        type: 'email',
        subject: 'Welcome{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}',
        preheader: 'Three steps for a good first day.',
        markdown: paragraphs(
          '# Welcome',
          HELLO,
          'Good to have you here. Your account is ready, and three steps are enough for a good first day:',
          '1. Complete your [profile](/profile), so that others recognise you.\n2. Create your first [project](/projects/new). It takes two minutes.\n3. Invite the people you work with.',
          '[Get started](/start)',
          'Whenever something is unclear, reply to this mail. A person reads it.',
        ),
        locales: {
          de: {
            subject: 'Willkommen{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}',
            preheader: 'Drei Schritte für einen guten ersten Tag.',
            markdown: paragraphs(
              '# Willkommen',
              HALLO,
              'schön, dass du da bist. Dein Konto ist bereit, und drei Schritte genügen für einen guten ersten Tag:',
              '1. Ergänze dein [Profil](/profile), damit andere dich erkennen.\n2. Lege dein erstes [Projekt](/projects/new) an. Das dauert zwei Minuten.\n3. Lade die Menschen ein, mit denen du arbeitest.',
              '[Loslegen](/start)',
              'Wenn etwas unklar ist, antworte auf diese Mail. Ein Mensch liest sie.',
            ),
          },
        },
      },
    ],
  },
  sample: { plan: 'team', source: 'website' },
}
