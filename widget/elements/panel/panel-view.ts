// Templates of the panel: header, tabs, list, detail, and the bars that report what is wrong or done.

import { html, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import type { InboxFilter, InboxMessage } from '../../../contract/api.ts'
import type { ListName } from '../../inbox/core-types.ts'
import { PART_FAILED } from '../../lib/failure.ts'
import { type IconName, icon, iconButton } from './icons.ts'
import { state } from './list/states.ts'
import { type Notice, textOf } from './notices.ts'
import type { PanelWithActions } from './panel-actions.ts'
import type { SelectionCommand } from './rare/selection.ts'
import type { PreferencesChange } from './settings/preferences.ts'

export function header(panel: PanelWithActions): TemplateResult {
  const { actions, status, areSettingsReady, isListCovered } = panel
  const { t } = panel.i18n
  const back = (): void => (areSettingsReady ? actions.settings(false) : actions.back())
  return html`<div part="header" class="header">
    ${isListCovered ? iconButton(t('back'), 'back', back, { look: 'back' }) : nothing}
    <h1 class="heading" .textContent=${t(areSettingsReady ? 'preferences' : 'notifications')}></h1>
    <slot name="header"></slot>
    <span class="spring">
      ${isListCovered ? neighbours(panel) : status === 'error' || status === 'signed-out' ? nothing : listActions(panel)}
      ${iconButton(t('close'), 'close', () => actions.close(), { look: 'closer' })}
    </span>
  </div>`
}

/** Beside an open message: the way to the others of its list. */
function neighbours({ i18n: { t }, actions, areSettingsReady }: PanelWithActions): TemplateResult | typeof nothing {
  if (areSettingsReady) return nothing
  const button = (word: string, name: IconName, by: 1 | -1) =>
    iconButton(t(word), name, () => actions.step(by), { isOff: actions.neighbour(by) === undefined })
  return html`${button('previous', 'up', -1)}${button('next', 'down', 1)}`
}

/** What can be done with the list as a whole. */
function listActions({ i18n: { t }, actions, counts, messages, selected }: PanelWithActions): TemplateResult {
  const isSelecting = selected !== undefined
  const select = (): void => actions.select(isSelecting ? undefined : [])
  return html`${iconButton(t('select'), 'choose', select, { look: 'choose-many', isOff: !messages?.length, isPressed: isSelecting })}
  ${iconButton(t('markAllRead'), 'check', () => actions.markAllRead(), { look: 'mark-all', isOff: counts.unopened === 0 })}
  ${iconButton(t('preferences'), 'settings', () => actions.settings(true), { look: 'gear' })}`
}

interface Tab {
  tab: ListName
  name: string
}

/** The filters, and between them what the messages are about. */
function tabsOf({ i18n: { t }, categories }: PanelWithActions): Tab[] {
  const filter = (tab: InboxFilter): Tab => ({ tab, name: t(tab) })
  return [filter('all'), filter('unopened'), ...categories, filter('snoozed'), filter('archived')]
}

function tabBar(panel: PanelWithActions, tabs: Tab[]): TemplateResult {
  const { i18n, actions, counts } = panel
  return html`<div part="tabs" class="tabs" role="tablist" aria-label=${i18n.t('notifications')} @wheel=${rollTabs}>
    ${tabs.map(({ tab, name }, index) => {
      const isSelected = tab === panel.tab
      const count = tab === 'unopened' ? counts.unopened : 0
      return html`<button
        type="button"
        role="tab"
        id=${`tab-${index}`}
        class="tab"
        aria-selected=${isSelected}
        aria-controls="list"
        tabindex=${isSelected ? 0 : -1}
        dir="auto"
        @click=${() => actions.selectTab(tab)}
      >
        <span .textContent=${name}></span>${count === 0 ? nothing : html`<span class="count" aria-label=${i18n.t('tabCount', { count })} .textContent=${i18n.short(count)}></span>`}
      </button>`
    })}
  </div>`
}

/** The tabs, and the list of the chosen one. */
export function listSide(panel: PanelWithActions): TemplateResult {
  const tabs = tabsOf(panel)
  const index = tabs.findIndex(({ tab }) => tab === panel.tab)
  const isOffline = panel.status === 'offline'
  // It lies over the day of the first row; snoozed messages have none.
  const isLowered = isOffline && panel.tab === 'snoozed'
  return html`${tabBar(panel, tabs)}${isOffline && panel.messages && !panel.isListCovered ? html`<div class="over">${offlineBar(panel)}</div>` : nothing}<nc-list
    class=${isLowered ? 'scroller lowered' : 'scroller'}
    id="list"
    role="tabpanel"
    aria-labelledby=${`tab-${index}`}
    @scroll=${panel.actions.loadMore}
    .tab=${panel.tab}
    .name=${tabs[index]?.name ?? ''}
    .loaded=${panel.messages}
    .listState=${panel.listState}
    .isOffline=${isOffline}
    .i18n=${panel.i18n}
    .now=${panel.now}
    .currentId=${panel.currentId}
    .snoozingId=${panel.snoozingId}
    .selected=${panel.selected}
    .renderRow=${panel.host.element.renderRow}
    .emptyPicture=${panel.views.rare.value?.restingBell}
    .actions=${panel.actions}
    .isInFront=${panel.isListInFront}
  ></nc-list>`
}

/** The open message. */
export function detail(panel: PanelWithActions): TemplateResult | typeof nothing {
  const { detail: message } = panel
  if (message === undefined) return nothing
  // Another message has its own place in the text, and its own pictures.
  const element = html`<nc-detail
    part="detail"
    class="detail"
    role="region"
    aria-label=${message.title}
    .message=${message}
    .i18n=${panel.i18n}
    .now=${panel.now}
    .actions=${panel.actions}
    .markdown=${panel.views.markdown.value}
    .isSnoozing=${panel.snoozingId !== undefined}
  ></nc-detail>`
  return html`${keyed(message.id, element)}`
}

/** A wheel that turns one way only reaches the tabs that have no room. */
function rollTabs(event: WheelEvent): void {
  const line = event.currentTarget as HTMLElement
  if (event.deltaX !== 0) return
  line.scrollLeft += getComputedStyle(line).direction === 'rtl' ? -event.deltaY : event.deltaY
}

/** In place of tabs and list: nobody is signed in, or the service refuses. */
export function refusal({ i18n: { t }, status, host, actions: { tryAgain } }: PanelWithActions): TemplateResult {
  if (status === 'signed-out') return state({ icon: 'message', title: t('signedOut'), hint: t('signedOutHint') }, t)
  const { code, correlationId } = host.controller()?.failure ?? PART_FAILED
  const hint = code === PART_FAILED.code ? '' : t('errorHint')
  return state({ icon: 'error', title: t('error'), hint, reference: correlationId, tryAgain }, t)
}

/** Over the end of the list, so that it never covers what has the focus below it. */
export function noticeBar({ i18n: { t }, actions }: PanelWithActions, notice: Notice): TemplateResult {
  const { key, undo, retry } = notice
  const button = (label: string, onClick: () => void) =>
    html`<button type="button" class="link" @click=${onClick}>${t(label)}</button>`
  return html`<div class="notice">
    ${icon(retry || /refused|error$/i.test(key) ? 'warning' : 'check')}<span .textContent=${textOf(notice, t)}></span>
    ${undo ? button('undo', () => actions.undo()) : retry ? button('tryAgain', retry) : nothing}
  </div>`
}

/** The browser knows whether the device has a network; the service may be out of reach all the same. */
export function offlineBar({ i18n: { t }, actions }: PanelWithActions): TemplateResult {
  const words = t(navigator.onLine ? 'offlineEmpty' : 'offline')
  // The title has all of them, where there is no room.
  return html`<div part="offline" class="offline">
    ${icon('offline')}<span title=${words}>${words}</span>
    <button type="button" class="link" @click=${actions.tryAgain}>${t('tryAgain')}</button>
  </div>`
}

/** A choice that is being made, below list and detail. */
export function sheet(panel: PanelWithActions): TemplateResult | typeof nothing {
  const { views, actions, selected, isHelpShown } = panel
  const snoozing = actions.find(panel.snoozingId)
  // The elements come with their part.
  if (views.rare.value === undefined || panel.isRefused) return nothing
  if (isHelpShown) return html`<nc-keys .t=${panel.i18n.t} @close=${() => actions.help(false)}></nc-keys>`
  if (snoozing !== undefined) return snoozeSheet(panel, snoozing)
  if (selected !== undefined && !panel.isListCovered) return selectionBar(panel, selected)
  return nothing
}

function snoozeSheet({ i18n: { t, locale }, now, actions }: PanelWithActions, message: InboxMessage): TemplateResult {
  const choose = ({ detail }: CustomEvent<Date>): void =>
    actions.change([message], { snoozedUntil: detail.toISOString() }, 'done_snoozed')
  return html`<nc-snooze
    .t=${t}
    .message=${message}
    .now=${now}
    .locale=${locale}
    @choose=${choose}
    @close=${() => actions.chooseSnooze(undefined)}
  ></nc-snooze>`
}

function selectionBar(
  { i18n: { t }, messages = [], actions }: PanelWithActions,
  selected: ReadonlySet<string>,
): TemplateResult {
  return html`<nc-selection
    class="bulk"
    role="toolbar"
    aria-label=${t('select')}
    .t=${t}
    .messages=${messages}
    .selected=${selected}
    @select=${({ detail }: CustomEvent<string[] | null>) => actions.select(detail ?? undefined)}
    @command=${({ detail }: CustomEvent<SelectionCommand>) => actions.runCommand(detail)}
  ></nc-selection>`
}

export function settings({ i18n: { t }, views, actions }: PanelWithActions): TemplateResult {
  const preferences = views.settings.value
  return html`<nc-settings
    class="detail settings"
    role="region"
    aria-label=${t('preferences')}
    .t=${t}
    .preferences=${preferences?.shown}
    .hasFailed=${preferences?.hasFailed}
    @preferences-change=${({ detail }: CustomEvent<PreferencesChange>) => preferences?.change(detail)}
    @retry=${() => preferences?.read()}
    @show-keys=${() => actions.help(true)}
  ></nc-settings>`
}
