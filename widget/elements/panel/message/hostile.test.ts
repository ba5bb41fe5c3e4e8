// A thousand hostile payloads in every field of a message, drawn as row and as detail without the service before them: text stays text.

import { html, render } from 'lit'
import type { InboxMessage } from '../../../../contract/api.ts'
import { createTimeWriter } from '../../../lib/relative-time.ts'
import { hostileCorpus } from '../../../test/hostile-corpus.ts'
import type { NcPanel } from '../panel.ts'
import { PanelActions } from '../panel-actions.ts'
import { NcDetail } from './detail.ts'
import { createMarkdown } from './markdown-view.ts'
import { NcRow } from './row.ts'

const LISTED = new Set(
  'A ARTICLE B BLOCKQUOTE BR BUTTON CODE DIV EM H2 H3 H4 H5 H6 HEADER HR I IMG INPUT LI OL P PRE S SECTION SPAN STRONG SVG PATH DEL TIME UL'.split(
    ' ',
  ),
)
const ADDRESS = /^(https?:\/\/[^/]|mailto:|tel:|sms:|#|\/(?!\/))/i

function messageOf(text: string, bodyFormat: 'text' | 'markdown'): InboxMessage {
  const at = '2026-11-21T08:00:00.000Z'
  // What a service that was taken over might send: nothing of it was checked.
  return {
    id: text,
    seq: 1,
    title: text,
    body: text,
    bodyFormat,
    link: text,
    actions: [{ label: text, link: text, style: text as 'primary' }],
    category: text,
    entity: text,
    icon: text,
    imageUrl: text,
    priority: text as 'normal',
    data: { [text]: text },
    createdAt: at,
    expiresAt: null,
    unopened: true,
    readAt: null,
    openedAt: null,
    clickedAt: null,
    archivedAt: null,
    snoozedUntil: null,
  }
}

const i18n = {
  t: (key: string) => key,
  times: createTimeWriter('en', 'now'),
  short: String,
  tag: 'en',
  locale: 'en',
}
const now = Date.parse('2026-11-21T09:00:00.000Z')
const markdown = createMarkdown(document.createElement('div').attachShadow({ mode: 'open' }))
const actions = new PanelActions(document.createElement('nc-panel') as NcPanel)

/** What stands in the page that must not. */
function faultsIn(host: Element): string[] {
  return [...host.querySelectorAll('*')].flatMap((element) => {
    const faults = LISTED.has(element.tagName.toUpperCase()) ? [] : [element.tagName]
    for (const { name, value } of element.attributes) {
      if (/^on|^style$|^srcdoc$/i.test(name)) faults.push(name)
      if (/^(href|src|xlink:href|action|formaction|data)$/i.test(name) && !ADDRESS.test(value))
        faults.push(`${name}=${value}`)
    }
    return faults
  })
}

suite('hostile payloads', () => {
  const refused: string[] = []
  const watch = (event: SecurityPolicyViolationEvent): void => void refused.push(event.violatedDirective)
  setup(() => document.addEventListener('securitypolicyviolation', watch))
  teardown(() => document.removeEventListener('securitypolicyviolation', watch))

  test('a thousand of them in every field draw nothing but text, safe links and safe pictures', () => {
    const corpus = hostileCorpus()
    if (corpus.length !== 1_000) throw new Error(`there are ${corpus.length}`)
    // Never in the document: no address of theirs is fetched.
    const host = document.createElement('div')
    const wrong: string[] = []
    for (const text of corpus) {
      for (const format of ['text', 'markdown'] as const) {
        const message = messageOf(text, format)
        const all = { message, i18n, now, actions }
        const row = Object.assign(new NcRow(), { ...all, index: 0, total: 1, showsActions: true })
        const detail = Object.assign(new NcDetail(), { ...all, markdown })
        render(html`${row.render()}${detail.render()}`, host)
        const faults = faultsIn(host)
        if (faults.length > 0) wrong.push(`${JSON.stringify(text)} as ${format}: ${faults.join(', ')}`)
        if (host.querySelector('.title')?.textContent !== text.replaceAll('\r\n', '\n') && !text.includes('\r'))
          wrong.push(`${JSON.stringify(text)}: another title`)
      }
    }
    if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'))
    if (Reflect.get(globalThis, 'pwned') !== undefined) throw new Error('something ran')
    if (Reflect.get(Object.prototype, 'pwned') !== undefined || refused.length > 0) throw new Error(refused.join())
  })
})
