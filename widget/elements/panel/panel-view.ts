// The panel as a whole: header, tabs, the list in each of its states, the detail over it.

import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { InboxFilter } from '../../../contract/api.ts'
import { icon, iconButton } from './icons.ts'
import { drawKeyed } from './list/keyed-list.ts'
import { detail } from './message/detail-view.ts'
import { row } from './message/row-view.ts'
import type { Notice } from './notices.ts'
import type { Tab, ViewContext } from './view-context.ts'

export function panelView(context: ViewContext): TemplateResult {
  const { status, notice } = context
  const isRefused = status === 'error' || status === 'signed-out'
  const inSettings = context.isSettingsShown && !isRefused
  const inDetail = context.detail !== undefined && !isRefused
  const isBehind = inDetail || inSettings
  return html`${header(context, isBehind)}
    ${status === 'offline' && (isBehind || context.messages) ? offlineBar(context) : nothing}
    <div class="stage">
      <div class="list-side ${isBehind ? 'behind' : ''}" ?inert=${isBehind}>
        ${isRefused ? refusal(context) : html`${tabs(context)}${list(context)}`}
      </div>
      ${inSettings ? context.settings?.view(context) : inDetail && context.detail ? detail(context, context.detail) : nothing}
      ${notice === undefined ? nothing : noticeBar(context, notice)}
    </div>
    ${below(context, isRefused)}
    <slot name="footer"></slot>`
}

/** What lies below list and detail: a choice that is being made. */
function below(context: ViewContext, isRefused: boolean): TemplateResult | typeof nothing {
  const { rare, snoozing, selected, detail, isHelpShown } = context
  if (rare === undefined || isRefused) return nothing
  if (isHelpShown) return rare.help(context)
  if (snoozing !== undefined) return rare.snooze(context, snoozing)
  if (selected !== undefined && detail === undefined && !context.isSettingsShown) return rare.bulk(context, selected)
  return nothing
}

/** Over the end of the list, so that it never covers what has the focus below it. */
function noticeBar({ say, act }: ViewContext, { key, undo, retry }: Notice): TemplateResult {
  const press = (word: string, does: () => void) =>
    html`<button type="button" class="link" @click=${does}>${say(word)}</button>`
  return html`<div class="notice">
    ${icon(key === 'refused' || retry ? 'warning' : 'check')}<span .textContent=${say(key)}></span>
    ${undo ? press('undo', act.undo) : retry ? press('tryAgain', retry) : nothing}
  </div>`
}

function header(context: ViewContext, isBehind: boolean): TemplateResult {
  const { say, act, status, isSettingsShown } = context
  const back = isSettingsShown ? () => act.settings(false) : act.back
  return html`<div part="header" class="header">
    ${isBehind ? iconButton(say('back'), 'back', back, { look: 'back' }) : nothing}
    <h1 class="heading" .textContent=${say(isSettingsShown ? 'preferences' : 'notifications')}></h1>
    <slot name="header"></slot>
    <span class="spring">
      ${isBehind || status === 'error' || status === 'signed-out' ? nothing : deeds(context)}
      ${iconButton(say('close'), 'close', act.close, { look: 'closer' })}
    </span>
  </div>`
}

/** What can be done with the list as a whole. */
function deeds({ say, act, counts, messages, selected }: ViewContext): TemplateResult {
  const isChoosing = selected !== undefined
  const choose = (): void => act.select(isChoosing ? undefined : [])
  return html`${iconButton(say('select'), 'choose', choose, { look: 'choose-many', isOff: !messages?.length, isPressed: isChoosing })}
  ${iconButton(say('markAllRead'), 'check', act.markAllRead, { look: 'mark-all', isOff: counts.unopened === 0 })}
  ${iconButton(say('preferences'), 'settings', () => act.settings(true), { look: 'gear' })}`
}

/** The filters, and between them what the messages are about. */
function tabsOf({ say, categories }: ViewContext): { tab: Tab; name: string }[] {
  const filter = (tab: InboxFilter) => ({ tab, name: say(tab) })
  return [filter('all'), filter('unopened'), ...categories, filter('snoozed'), filter('archived')]
}
const nameOf = (context: ViewContext): string => tabsOf(context).find(({ tab }) => tab === context.tab)?.name ?? ''

function tabs(context: ViewContext): TemplateResult {
  const { say, short, act, tab, counts } = context
  return html`<div part="tabs" class="tabs" role="tablist" aria-label=${say('notifications')} @wheel=${rollTabs}>
    ${tabsOf(context).map((each, index) => {
      const isThis = each.tab === tab
      const count = each.tab === 'unopened' && counts.unopened > 0 ? counts.unopened : undefined
      return html`<button
        type="button"
        role="tab"
        id=${`tab-${index}`}
        class="tab"
        aria-selected=${isThis}
        aria-controls="list"
        tabindex=${isThis ? 0 : -1}
        dir="auto"
        @click=${() => act.selectTab(each.tab)}
      >
        <span .textContent=${each.name}></span>${count === undefined ? nothing : html`<span class="count" aria-label=${say('tabCount', { count })} .textContent=${short(count)}></span>`}
      </button>`
    })}
  </div>`
}

/** A wheel that turns one way only reaches the tabs that have no room. */
function rollTabs(event: WheelEvent): void {
  const line = event.currentTarget as HTMLElement
  if (event.deltaX !== 0) return
  line.scrollLeft += getComputedStyle(line).direction === 'rtl' ? -event.deltaY : event.deltaY
}

function list(context: ViewContext): TemplateResult {
  const { messages, listState, say, tab, act } = context
  return html`<div class="scroller" id="list" role="tabpanel" aria-labelledby=${`tab-${tabsOf(context).findIndex((each) => each.tab === tab)}`} @scroll=${act.scrolled}>
    ${listContent(context)}
    ${messages?.length && listState.isLoading && listState.hasMore ? skeleton(1) : nothing}
    ${messages?.length && (listState.failure || context.isCut) ? moreFailed(context) : nothing}
    <span class="live" role="status">${messages === undefined && listState.isLoading ? say('loading') : ''}</span>
  </div>`
}

function listContent(context: ViewContext): TemplateResult {
  const { messages, listState, say, status } = context
  if (messages === undefined) {
    if (status === 'offline') return message('offline', say('offlineEmpty'), say('offlineEmptyHint'), context)
    if (listState.failure !== undefined) return listFailed(context)
    return html`<div part="list" class="list" aria-busy="true">${skeleton(5)}</div>`
  }
  if (messages.length === 0) return empty(context)
  if (context.windowed === undefined)
    drawKeyed(context.rows, messages.slice(0, context.most), (item, index) => row(context, item, index))
  return html`<div part="list" class="list" role="feed" aria-label=${nameOf(context)} aria-busy=${listState.isLoading}>
    ${context.rows}
  </div>`
}

const PIECES: Partial<Record<Tab, string>> = {
  all: 'emptyAll',
  unopened: 'emptyUnopened',
  snoozed: 'emptySnoozed',
  archived: 'emptyArchived',
}

function empty({ say, tab, rare }: ViewContext): TemplateResult {
  const key = PIECES[tab] ?? 'emptyAll'
  return html`<slot name="empty"
    ><div part="empty" class="state">
      <span class="resting">${rare?.restingBell}</span>
      <p class="state-title">${say(key)}</p>
      <p class="state-hint">${say(`${key}Hint`)}</p>
    </div></slot
  >`
}

function refusal(context: ViewContext): TemplateResult {
  const { say, status, failure } = context
  if (status === 'signed-out') return message('message', say('signedOut'), say('signedOutHint'), undefined)
  return message('error', say('error'), say('errorHint'), context, failure?.code)
}

function listFailed(context: ViewContext): TemplateResult {
  const { say, listState } = context
  return message('error', say('error'), '', context, listState.failure?.code)
}

/** A state in the middle of the panel; with a context it offers to try again. */
function message(
  name: 'error' | 'offline' | 'message',
  title: string,
  hint: string,
  context: ViewContext | undefined,
  code?: string,
): TemplateResult {
  return html`<div part=${name === 'error' ? 'error' : 'empty'} class="state">
    <span class="avatar large ${name === 'error' ? 'error' : 'plain'}">${icon(name)}</span>
    <p class="state-title">${title}</p>
    ${hint === '' ? nothing : html`<p class="state-hint">${hint}</p>`}
    ${
      context === undefined
        ? nothing
        : html`<button type="button" class="button primary" @click=${context.act.tryAgain}>
            ${context.say('tryAgain')}
          </button>`
    }
    ${code === undefined ? nothing : html`<p class="code">${code}</p>`}
  </div>`
}

function moreFailed({ say, act }: ViewContext): TemplateResult {
  return html`<p class="more">
    ${say('listError')} <button type="button" class="button default" @click=${act.tryAgain}>${say('tryAgain')}</button>
  </p>`
}

/** An empty list says it by itself, where there is room. The browser knows whether the device has a network; the service may be away all the same. */
function offlineBar({ say, act }: ViewContext): TemplateResult {
  return html`<div part="offline" class="offline">
    ${icon('offline')}<span>${say(navigator.onLine ? 'outOfReach' : 'offline')}</span>
    <button type="button" class="link" @click=${act.tryAgain}>${say('tryAgain')}</button>
  </div>`
}

function skeleton(rows: number): TemplateResult[] {
  const one = html`<div class="row bone-row" aria-hidden="true">
    <span class="avatar bone"></span>
    <div class="words"><span class="bone bone-title"></span><span class="bone"></span><span class="bone bone-short"></span></div>
  </div>`
  return new Array(rows).fill(one)
}
