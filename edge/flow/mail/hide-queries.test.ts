// Tests that no text of a mail in the history has the query of an untracked link.

import { expect, test } from 'vitest'
import type { MessageContent } from '../../../contract/api.ts'
import { compileMail } from '../../campaign/steps/email.ts'
import { hideQueries } from './hide-queries.ts'

test('subject, preheader, text, headers and files have it no more', () => {
  const link = 'https://x.example/reset?token={{ event.properties.token }}'
  const step = {
    subject: `Open ${link}`,
    preheader: `Open ${link}`,
    html: `<a data-nc-track="off" href="${link}">Reset</a>`,
    text: `Open ${link}`,
    headers: { 'X-Link': link },
    attachments: [{ filename: 'a.txt', url: link }],
  }
  const scope = {
    user: {},
    enriched: {},
    events: [],
    campaign: {},
    env: {},
    event: { properties: { token: 's3cret' } },
  }
  const content: MessageContent = compileMail(step).render(scope, { category: null, locale: null, fallbackTitle: 'f' })
  expect(JSON.stringify(content)).toContain('s3cret')
  const shown = JSON.stringify(hideQueries(content))
  expect(shown).not.toContain('s3cret')
  expect(shown.match(/https:\/\/x.example\/reset/g)?.length).toBeGreaterThanOrEqual(6)
})
