// Describes the campaign that gathers comments, so that a lively discussion is one message.

import type { GalleryCampaign } from './gallery-campaign.ts'

const DOCUMENT = '{{ event.properties.documentId }}'
const LIST =
  '{% for e in events limit: 5 %}- **{{ e.properties.author }}**: {{ e.properties.text | truncate: 120 }}\n{% endfor %}'

export const commentDigest: GalleryCampaign = {
  text: 'Gathers the comments of a quarter of an hour on one document, so that a lively discussion is one message and not twenty.',
  definition: {
    key: 'comment-digest',
    name: 'Comment digest',
    category: 'comments',
    trigger: { event: 'comment.created', where: 'event.properties.authorId != event.userId' },
    steps: [
      { id: 'gather', type: 'digest', window: 'PT15M', key: DOCUMENT, max: 100 },
      {
        id: 'tell',
        type: 'inbox',
        title:
          '{{ events | plural: one: "# new comment", other: "# new comments" }} on “{{ event.properties.document }}”',
        body: `${LIST}{% if events.size > 5 %}\n… and {{ events.size | minus: 5 }} more.{% endif %}`,
        bodyFormat: 'markdown',
        link: `/documents/${DOCUMENT}#comments`,
        icon: 'info',
        entity: `document:${DOCUMENT}`,
        collapseKey: `comments:${DOCUMENT}`,
        locales: {
          de: {
            title:
              '{{ events | plural: one: "# neuer Kommentar", other: "# neue Kommentare" }} zu „{{ event.properties.document }}“',
            body: `${LIST}{% if events.size > 5 %}\n… und {{ events.size | minus: 5 }} weitere.{% endif %}`,
          },
        },
      },
    ],
  },
  sample: {
    documentId: 'd-7',
    document: 'Launch plan',
    author: 'Grace Hopper',
    authorId: 'u_grace',
    text: 'The second milestone looks too early to me. Can we talk about it on Monday?',
  },
}
