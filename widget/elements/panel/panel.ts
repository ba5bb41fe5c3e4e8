// The panel: shows the inbox of the element's controller as popover or inline, and carries out what the user does in it (contract section 13).

import { render } from 'lit/html.js'
import type { InboxMessage } from '../../../contract/api.ts'
import { listen } from '../../inbox/waking.ts'
import { element } from '../../lib/dom.ts'
import { createTimeWriter, type TimeWriter } from '../../lib/relative-time.ts'
import { adopt } from '../../lib/sheet.ts'
import { createSay, type Say, usableLocale } from '../../lib/words.ts'
import { EN } from '../../locales/en.ts'
import { EN_BELL } from '../../locales/en-bell.ts'
import { loadLanguage } from '../../locales/languages.ts'
import { messageStyles } from './message.styles.ts'
import { panelStyles } from './panel.styles.ts'
import { createActions, type PanelState } from './panel-actions.ts'
import { createKeys } from './panel-keys.ts'
import type { Panel, PanelHost } from './panel-types.ts'
import { panelView } from './panel-view.ts'
import { createPlacing } from './placing.ts'
import type { ViewContext } from './view-context.ts'
import { createSight } from './visibility.ts'

/** Times in the rows stay true by being written anew. */
const TICK_MS = 20_000
const NO_LIST = { isLoading: false, hasMore: false, failure: undefined }
const FRESH: PanelState = {
  tab: 'all',
  detailId: undefined,
  currentId: undefined,
  isSnoozing: false,
  notice: undefined,
}

export function createPanel(host: PanelHost): Panel {
  const { shadow, root, anchor } = host
  // A popover from the first, so that a panel that was loaded ahead takes no place in the page.
  const panel = element('div', { part: 'panel', class: 'panel', popover: 'manual', tabindex: '-1' })
  const state: PanelState = { ...FRESH }
  let locale = ''
  let say: Say = createSay('en', 'en', EN, EN_BELL)
  let times: TimeWriter = createTimeWriter('en', say('now'))
  let isShown = false
  let isPlanned = false
  let isGone = false
  const isInline = (): boolean => host.element.mode === 'inline'
  adopt(shadow, panelStyles())
  adopt(shadow, messageStyles())
  place()
  root.append(panel)
  const placing = createPlacing(shadow, anchor, panel)

  const rows = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('article.row')]
  const core = () => host.controller()?.core

  const sight = createSight(
    () => isShown && state.detailId === undefined,
    (ids) => {
      for (const id of ids) if (core()?.find(id)?.readAt === null) core()?.record(id, 'read')
    },
  )

  const update = (): void => {
    if (isPlanned || isGone) return
    isPlanned = true
    // One drawing per frame, however many frames of the service came in it; a hidden page draws none.
    const draw = (): void => {
      isPlanned = false
      settle()
    }
    if (document.visibilityState === 'visible') requestAnimationFrame(draw)
    else setTimeout(draw, 50)
  }

  const act = createActions(host, state, {
    update,
    rowById,
    drawNow: draw,
    focusPanel: () => panel.focus(),
    announce: (key) => host.announce(say(key)),
  })

  function rowById(id: string): HTMLElement | undefined {
    return rows().find((row) => row.dataset.id === id)
  }

  function settle(): void {
    if (isGone) return
    const wanted = isInline() || host.element.open
    if (wanted !== isShown) toggle(wanted)
    if (isShown) draw()
  }

  /** A popover is out of the page's flow from the start: a closed panel takes no room. */
  function place(): void {
    panel.setAttribute('role', isInline() ? 'region' : 'dialog')
    if (isInline()) panel.removeAttribute('popover')
    else if (!panel.hasAttribute('popover')) panel.setAttribute('popover', 'manual')
  }

  function toggle(shows: boolean): void {
    isShown = shows
    place()
    if (isInline()) return
    if (shows) {
      draw()
      panel.showPopover?.()
      placing.start()
      panel.focus()
      host.didShow()
      return
    }
    const hadFocus = shadow.activeElement !== null
    placing.stop()
    panel.hidePopover?.()
    Object.assign(state, { ...FRESH, tab: state.tab })
    if (hadFocus || document.activeElement === document.body) host.focusBell()
    host.didHide()
  }

  function context(): ViewContext {
    const controller = host.controller()
    const status = controller?.status ?? 'signed-out'
    return {
      say,
      times,
      act,
      status,
      now: controller?.clock.now() ?? Date.now(),
      failure: controller?.failure,
      counts: controller?.counts ?? { unread: 0, unopened: 0 },
      tab: state.tab,
      messages: core()?.list(state.tab),
      listState: core()?.listState(state.tab) ?? NO_LIST,
      currentId: state.currentId,
      detail: state.detailId === undefined ? undefined : core()?.find(state.detailId),
      isSnoozing: state.isSnoozing,
      notice: state.notice === undefined ? undefined : say(state.notice),
      renderRow: host.element.renderRow,
    }
  }

  function draw(): void {
    const focused = shadow.activeElement?.closest<HTMLElement>('article.row')
    const at = focused ? rows().indexOf(focused) : -1
    const now = context()
    // A message that went away while it was open: back to the list.
    if (state.detailId !== undefined && now.detail === undefined) state.detailId = undefined
    if (state.currentId !== undefined && !now.messages?.some(({ id }) => id === state.currentId)) {
      now.currentId = state.currentId = undefined
    }
    render(panelView(now), panel)
    panel.setAttribute('aria-label', say('notifications'))
    for (const row of rows()) sight.watch(row, row.dataset.id ?? '')
    if (now.detail === undefined) sight.look()
    // The focus does not vanish with a row: its neighbour has it.
    if (focused && !focused.isConnected) (rows()[Math.min(at, rows().length - 1)] ?? panel).focus()
    if (now.messages === undefined && !now.listState.isLoading && !now.listState.failure && now.status === 'ready') {
      void core()?.load(state.tab)
    }
    void speak()
  }

  async function speak(): Promise<void> {
    const wanted = usableLocale(
      host.element.locale,
      host.element.closest('[lang]')?.getAttribute('lang'),
      navigator.language,
    )
    if (wanted === locale) return
    locale = wanted
    const { tag, words } = await loadLanguage(wanted)
    say = createSay(wanted, tag, words, EN_BELL)
    times = createTimeWriter(tag === 'en' && !wanted.startsWith('en') ? 'en' : wanted, say('now'))
    panel.lang = tag
    update()
  }

  const ends = [
    listen(panel, 'keydown', (event) => keys(event as KeyboardEvent)),
    listen(document, 'pointerdown', (event) => {
      if (isShown && !isInline() && !event.composedPath().includes(host.element)) host.element.hide()
    }),
  ]
  const keys = createKeys({
    panel,
    rows,
    tabs: () => [...panel.querySelectorAll<HTMLElement>('[role=tab]')],
    goTo: (row) => {
      state.currentId = row.dataset.id
      row.focus()
      row.scrollIntoView({ block: 'nearest' })
      update()
    },
    open: (row) => {
      const message: InboxMessage | undefined = core()?.find(row.dataset.id ?? '')
      if (message !== undefined) act.open(message)
    },
    escape: () => {
      if (state.detailId !== undefined) act.back()
      else if (isInline()) return false
      else host.element.hide()
      return true
    },
  })
  const ticking = setInterval(update, TICK_MS)

  return {
    update,
    reset: () => {
      Object.assign(state, FRESH)
      if (isShown) draw()
    },
    destroy: () => {
      isGone = true
      clearInterval(ticking)
      placing.stop()
      sight.stop()
      for (const end of ends) end()
      panel.remove()
    },
  }
}
