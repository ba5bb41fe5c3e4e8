// One message in full: picture, Markdown, link, actions, and what to do with it (contract section 13).

import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { InboxMessage } from '../../../../contract/api.ts'
import { safeLink } from '../../../../contract/link.ts'
import { parseMarkdown } from '../../../lib/markdown.ts'
import { type IconName, icon } from '../icons.ts'
import { archive } from '../panel-commands.ts'
import type { ViewContext } from '../view-context.ts'
import { drawBlocks } from './markdown-view.ts'
import { actions, avatar, picture, targetOf } from './message-bits.ts'

export function detail(context: ViewContext, message: InboxMessage): TemplateResult {
  const { times, now, act, say } = context
  const anchor = (link: string, children: unknown, look = ''): TemplateResult =>
    html`<a
      class=${look}
      href=${link}
      target=${targetOf(link)}
      rel="noopener noreferrer"
      @click=${(event: MouseEvent) => act.follow(event, message, link)}
      >${children}</a
    >`
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
        ${
          message.bodyFormat === 'markdown'
            ? drawBlocks(parseMarkdown(message.body), anchor)
            : html`<p class="plain">${message.body}</p>`
        }
      </div>
      ${actions(context, message, link === null ? nothing : anchor(link, openWords, `button ${hasPrimary ? 'default' : 'primary'}`))}
    </div>
    ${toolbar(context, message)}
  </section>`
}

function toolbar({ say, act, snoozing }: ViewContext, message: InboxMessage): TemplateResult {
  const isArchived = message.archivedAt !== null
  const tool = (label: string, name: IconName, does: () => void, look = '') =>
    html`<button type="button" class="tool ${look}" @click=${does}>${icon(name)}<span>${label}</span></button>`
  return html`<div class="toolbar">
    ${tool(say(isArchived ? 'unarchive' : 'archive'), isArchived ? 'unarchive' : 'archive', () => archive(act, [message]))}
    ${
      isArchived
        ? nothing
        : message.snoozedUntil === null
          ? tool(
              say('snooze'),
              'snooze',
              () => act.chooseSnooze(snoozing ? undefined : message),
              snoozing ? 'pressed' : '',
            )
          : tool(say('unsnooze'), 'snooze', () => act.change([message], { snoozedUntil: null }, 'done_unsnoozed'))
    }
    ${isArchived ? nothing : tool(say('markUnread'), 'dotted', () => act.change([message], { unopened: true }, ''))}
    ${tool(say('delete'), 'trash', () => act.remove([message]), 'danger')}
  </div>`
}
