// One row of the list: an article of the feed, with its dot, words, time, and what can be done at once (contract section 13).

import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { InboxMessage } from '../../../contract/api.ts'
import { parseMarkdown, plainText } from '../../lib/markdown.ts'
import { icon } from './icons.ts'
import { actions, avatar } from './message-bits.ts'
import type { ViewContext } from './view-context.ts'

const EXCERPT_CHARS = 240

/** The body in words, cut; kept per body, as rows are drawn again and again. */
const excerpts = new WeakMap<InboxMessage, string>()
function excerptOf(message: InboxMessage): string {
  const kept = excerpts.get(message)
  if (kept !== undefined) return kept
  const body = message.body.slice(0, EXCERPT_CHARS * 4)
  const text = message.bodyFormat === 'markdown' ? plainText(parseMarkdown(body)) : body
  const excerpt = text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text
  excerpts.set(message, excerpt)
  return excerpt
}

export function row(context: ViewContext, message: InboxMessage, index: number): TemplateResult {
  const { say, times, now, act, currentId, renderRow } = context
  const time = times.relative(message.createdAt, now)
  const isCurrent = currentId === undefined ? index === 0 : currentId === message.id
  const open = (event: Event): void => {
    if (!event.defaultPrevented && !isControl(event)) act.open(message)
  }
  return html`<article
    part="row"
    class="row ${message.unopened ? 'unopened' : ''}"
    data-id=${message.id}
    tabindex=${isCurrent ? 0 : -1}
    aria-posinset=${index + 1}
    aria-setsize="-1"
    aria-label=${`${message.unopened ? `${say('unread')}. ` : ''}${message.title}, ${time}`}
    @click=${open}
  >
    <span part="dot" class="dot" ?hidden=${!message.unopened}></span>
    ${
      renderRow === undefined
        ? html`${avatar(message)}
            <div class="words">
              <div class="line">
                <button part="title" class="title" type="button" tabindex="-1" dir="auto">${message.title}</button>
                <time part="time" class="time" datetime=${message.createdAt} title=${times.full(message.createdAt)}
                  >${time}</time
                >
              </div>
              ${message.body === '' ? nothing : html`<p part="body" class="excerpt" dir="auto">${excerptOf(message)}</p>`}
              ${actions(context, message)}
            </div>`
        : html`<div class="words">${renderRow(message)}</div>`
    }
    ${quickActions(context, message)}
  </article>`
}

/** What stands over the time while the row is pointed at or holds the focus. */
function quickActions({ say, act }: ViewContext, message: InboxMessage): TemplateResult {
  const isArchived = message.archivedAt !== null
  const press = (label: string, picture: ReturnType<typeof icon>, does: () => void) =>
    html`<button type="button" class="icon-button" tabindex="-1" aria-label=${label} title=${label} @click=${does}>
      ${picture}
    </button>`
  return html`<div class="quick">
    ${
      isArchived
        ? nothing
        : press(say(message.unopened ? 'markRead' : 'markUnread'), icon(message.unopened ? 'check' : 'dotted'), () =>
            act.change(message, { unopened: !message.unopened }, ''),
          )
    }
    ${press(say(isArchived ? 'unarchive' : 'archive'), icon(isArchived ? 'unarchive' : 'archive'), () =>
      act.change(message, { archived: !isArchived }, isArchived ? 'done_unarchived' : 'done_archived'),
    )}
  </div>`
}

/** A press on a control of the row is that control's, not the row's. The title is the row's own. */
function isControl(event: Event): boolean {
  const path = event.composedPath()
  const inside = path.slice(0, path.indexOf(event.currentTarget as EventTarget))
  return inside.some(
    (node) => node instanceof Element && node.matches('a, button:not(.title), input, select, textarea'),
  )
}
