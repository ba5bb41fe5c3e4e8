// One message in full: picture, Markdown, link, actions, and what to do with it.

import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { InboxMessage } from '../../../../contract/api.ts'
import { safeLink } from '../../../../contract/link.ts'
import { withoutMarks } from '../../../lib/without-marks.ts'
import { type IconName, icon } from '../icons.ts'
import { deedsOn } from '../panel-commands.ts'
import type { ViewContext } from '../view-context.ts'
import type { DrawLink } from './markdown-view.ts'
import { actions, avatar, picture, targetOf } from './message-bits.ts'

export function detail(context: ViewContext, message: InboxMessage): TemplateResult {
  const { times, now, act, say } = context
  const anchor = (link: string, children: unknown, look = ''): TemplateResult => {
    const does = (event: MouseEvent) => event.button < 2 && act.follow(event, message, link)
    return html`<a
      class=${look}
      href=${link}
      target=${targetOf(link)}
      rel="noopener noreferrer"
      @click=${does}
      @auxclick=${does}
      >${children}</a
    >`
  }
  const link = safeLink(message.link)
  const hasPrimary = message.actions.some(({ style }) => style === 'primary')
  const openWords =
    link !== null && targetOf(link) === '_blank' ? html`${say('openLink')} ${icon('open')}` : say('openLink')
  return html`<section part="detail" class="detail" aria-label=${message.title}>
    <div class="detail-scroll" tabindex="0" role="group" aria-label=${message.title}>
      <header class="detail-head">
        ${avatar(message)}
        <div class="words">
          <h2 part="title" class="detail-title" dir="auto">${message.title}</h2>
          <time part="time" class="time" datetime=${message.createdAt}
            >${times.full(message.createdAt)} · ${times.relative(message.createdAt, now)}</time
          >
        </div>
      </header>
      ${picture(message)}
      <div part="body" class="prose" dir="auto">
        ${prose(context, message, anchor)}
      </div>
      ${actions(context, message, link === null ? nothing : anchor(link, openWords, `button ${hasPrimary ? 'default' : 'primary'}`))}
    </div>
    ${toolbar(context, message)}
  </section>`
}

/** Markdown is plain words until what draws it is there. */
function prose({ markdown }: ViewContext, { body, bodyFormat }: InboxMessage, anchor: DrawLink): unknown {
  if (bodyFormat !== 'markdown') return html`<p class="plain">${body}</p>`
  return markdown === undefined ? html`<p class="plain">${withoutMarks(body)}</p>` : markdown(body, anchor)
}

function toolbar(context: ViewContext, message: InboxMessage): TemplateResult {
  const { say, act, snoozing } = context
  const tool = (word: string, name: IconName, does: () => void, look = '') =>
    html`<button type="button" class="tool ${look}" @click=${does}>${icon(name)}<span .textContent=${say(word)}></span></button>`
  const [first, ...others] = deedsOn(context, message)
  return html`<div class="toolbar">
    ${[...others, ...(first ? [first] : [])].map(([word, name, does]) => tool(word, name, does, snoozing && word === 'snooze' ? 'pressed' : ''))}
    ${tool('delete', 'trash', () => act.remove([message]), 'danger')}
  </div>`
}
