// One row of the list: an article of the feed, with its dot, words, time, and what can be done at once.

import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { InboxMessage } from '../../../../contract/api.ts'
import { withoutMarks } from '../../../lib/without-marks.ts'
import { iconButton } from '../icons.ts'
import { deedsOn, toggled } from '../panel-commands.ts'
import type { ViewContext } from '../view-context.ts'
import { actions, avatar } from './message-bits.ts'

const EXCERPT_CHARS = 240

/** The body in words, cut; kept per body, as rows are drawn again and again. */
const excerpts = new WeakMap<InboxMessage, string>()
function excerptOf(message: InboxMessage): string {
  const kept = excerpts.get(message)
  if (kept !== undefined) return kept
  const body = message.body.slice(0, EXCERPT_CHARS * 4)
  const text = message.bodyFormat === 'markdown' ? withoutMarks(body) : body
  const excerpt = text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text
  excerpts.set(message, excerpt)
  return excerpt
}

export function row(context: ViewContext, message: InboxMessage, index: number): TemplateResult {
  const { say, times, now, act, currentId, selected, windowed, messages, listState } = context
  const at = message.snoozedUntil ?? message.createdAt
  const time = message.snoozedUntil === null ? times.relative(at, now) : times.until(at, now)
  const isCurrent = currentId === undefined ? index === 0 : currentId === message.id
  const open = (event: Event): void => {
    if (event.defaultPrevented || isControl(event)) return
    if (selected) act.select(toggled(context, message))
    else act.open(message)
  }
  return html`${dayBefore(context, message, index)}<article
    part="row"
    class="row ${message.unopened ? 'unopened' : ''}"
    data-id=${message.id}
    tabindex=${isCurrent ? 0 : -1}
    aria-posinset=${index + 1}
    aria-setsize=${listState.hasMore ? -1 : (messages?.length ?? -1)}
    aria-label=${`${message.unopened ? `${say('unread')}. ` : ''}${message.title}, ${time}`}
    @click=${open}
  >
    <span part="dot" class="dot" ?hidden=${!message.unopened}></span>
    ${selected ? checkbox(context, message, selected) : nothing}
    ${
      context.ownRow(message) ??
      html`${avatar(message)}
            <div class="words">
              <div class="line">
                <button part="title" class="title" type="button" tabindex="-1" dir="auto">${message.title}</button>
                <time part="time" class="time" datetime=${at} title=${times.full(at)} .textContent=${time}></time>
              </div>
              ${message.body === '' ? nothing : html`<p part="body" class="excerpt" dir="auto">${excerptOf(message)}</p>`}
              ${actions(context, message)}
            </div>`
    }
    ${selected || (windowed && windowed.activeId !== message.id) ? nothing : quickActions(context, message)}
  </article>`
}

/** The day, before the first row of it. The name of each row says its time: this is for the eye. */
function dayBefore({ times, now, messages }: ViewContext, message: InboxMessage, index: number) {
  if (message.snoozedUntil !== null) return nothing
  const day = times.day(message.createdAt, now)
  const above = messages?.[index - 1]
  if (above !== undefined && times.day(above.createdAt, now) === day) return nothing
  return html`<p class="day" aria-hidden="true" .textContent=${day}></p>`
}

function checkbox(context: ViewContext, message: InboxMessage, selected: ReadonlySet<string>): TemplateResult {
  return html`<input
    type="checkbox"
    class="choose"
    tabindex="-1"
    aria-label=${`${context.say('select')}: ${message.title}`}
    .checked=${selected.has(message.id)}
    @change=${() => context.act.select(toggled(context, message))}
  />`
}

/** What stands over the time while the row is pointed at or holds the focus. */
function quickActions(context: ViewContext, message: InboxMessage): TemplateResult {
  return html`<div class="quick">
    ${deedsOn(context, message).map(([word, name, does]) => iconButton(context.say(word), name, does, { isSkipped: true }))}
  </div>`
}

/** A press on a control of the row is that control's, not the row's. The title is the row's own. */
function isControl(event: Event): boolean {
  const path = event.composedPath()
  const inside = path.slice(0, path.indexOf(event.currentTarget as EventTarget))
  return inside.some(
    (node) =>
      node instanceof HTMLElement &&
      (node.isContentEditable || node.matches('a, button:not(.title), input, textarea, select, label, summary')),
  )
}
