// One message in full: picture, Markdown, link, actions, and what to do with it (contract section 13).

import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { InboxMessage } from '../../../contract/api.ts'
import { safeLink } from '../../../contract/link.ts'
import { parseMarkdown } from '../../lib/markdown.ts'
import { type IconName, icon } from './icons.ts'
import { drawBlocks } from './markdown-view.ts'
import { actions, avatar, picture, targetOf } from './message-bits.ts'
import type { ViewContext } from './view-context.ts'

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
    ${context.isSnoozing ? snoozeChoices(context, message) : nothing}
    ${toolbar(context, message)}
  </section>`
}

function toolbar({ say, act, isSnoozing }: ViewContext, message: InboxMessage): TemplateResult {
  const isArchived = message.archivedAt !== null
  const tool = (label: string, name: IconName, does: () => void, look = '') =>
    html`<button type="button" class="tool ${look}" @click=${does}>${icon(name)}<span>${label}</span></button>`
  return html`<div class="toolbar">
    ${tool(say(isArchived ? 'unarchive' : 'archive'), isArchived ? 'unarchive' : 'archive', () =>
      act.change(message, { archived: !isArchived }, isArchived ? 'done_unarchived' : 'done_archived'),
    )}
    ${isArchived ? nothing : tool(say('snooze'), 'snooze', act.toggleSnooze, isSnoozing ? 'pressed' : '')}
    ${isArchived ? nothing : tool(say('markUnread'), 'dotted', () => act.change(message, { unopened: true }, ''))}
    ${tool(say('delete'), 'trash', () => act.remove(message), 'danger')}
  </div>`
}

function snoozeChoices({ say, act, now, times }: ViewContext, message: InboxMessage): TemplateResult {
  const choices: [string, Date][] = [
    ['snoozeHour', new Date(now + 3_600_000)],
    ['snoozeTomorrow', morningIn(now, 1)],
    ['snoozeWeek', morningIn(now, 7)],
  ]
  return html`<div class="choices">
    ${choices.map(
      ([key, until]) =>
        html`<button
          type="button"
          class="choice"
          @click=${() => act.change(message, { snoozedUntil: until.toISOString() }, 'done_snoozed')}
        >
          <span>${say(key)}</span><span class="time">${times.full(until.toISOString())}</span>
        </button>`,
    )}
  </div>`
}

const MORNING_HOUR = 9

function morningIn(now: number, days: number): Date {
  const day = new Date(now)
  day.setDate(day.getDate() + days)
  day.setHours(MORNING_HOUR, 0, 0, 0)
  return day
}
