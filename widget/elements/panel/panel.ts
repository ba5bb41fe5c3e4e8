// The panel: shows the inbox of the element's controller as popover or inline, and carries out what the user does in it (contract section 13).

import { render } from 'lit/html.js'
import type { InboxMessage } from '../../../contract/api.ts'
import { listen } from '../../inbox/waking.ts'
import { element } from '../../lib/dom.ts'
import { adopt } from '../../lib/sheet.ts'
import { messageStyles } from './message.styles.ts'
import { panelStyles } from './panel.styles.ts'
import { createActions, type PanelState } from './panel-actions.ts'
import { createKeys } from './panel-keys.ts'
import type { Panel, PanelHost } from './panel-types.ts'
import { panelView } from './panel-view.ts'
import { createPlacing } from './placing.ts'
import { readContext } from './read-context.ts'
import { createSpeech } from './speech.ts'
import { createSight } from './visibility.ts'

/** Times in the rows stay true by being written anew. */
const TICK_MS = 20_000
const FRESH: PanelState = {
  tab: 'all',
  detailId: undefined,
  currentId: undefined,
  isSnoozing: false,
  notice: undefined,
}

export function createPanel(host: PanelHost): Panel {
  const { shadow, root, anchor } = host
  const panel = element('div', { part: 'panel', class: 'panel', tabindex: '-1' })
  const rowHolder = element('div')
  const state: PanelState = { ...FRESH }
  let [isShown, isPlanned, isGone] = [false, false, false]
  const isInline = (): boolean => host.element.mode === 'inline'
  adopt(shadow, panelStyles())
  adopt(shadow, messageStyles())
  place()
  root.append(panel)
  const placing = createPlacing(shadow, anchor, panel)
  const rows = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('article.row')]
  const tabs = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[role=tab]')]
  const core = () => host.controller()?.core

  const isListShown = (): boolean => isShown && state.detailId === undefined
  const sight = createSight(isListShown, (ids) => recordRead(host, ids))

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
  const speech = createSpeech(host.voice)
  const act = createActions(host, state, {
    update,
    rows,
    drawNow: draw,
    focusPanel: () => panel.focus(),
    announce: (key) => host.announce(speech().say(key)),
  })

  function settle(): void {
    if (isGone) return
    place()
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

  function draw(): void {
    const focused = shadow.activeElement?.closest<HTMLElement>('article.row')
    const at = focused ? rows().indexOf(focused) : -1
    const now = readContext(host, state, speech(), act, rowHolder)
    // A message that went away while it was open: back to the list.
    if (state.detailId !== undefined && now.detail === undefined) state.detailId = undefined
    if (state.currentId !== undefined && !now.messages?.some(({ id }) => id === state.currentId)) {
      now.currentId = state.currentId = undefined
    }
    render(panelView(now), panel)
    panel.setAttribute('aria-label', speech().say('notifications'))
    for (const row of rows()) sight.watch(row, row.dataset.id ?? '')
    if (now.detail === undefined) sight.look()
    // The focus does not vanish with a row: its neighbour has it.
    if (focused && !focused.isConnected) (rows()[Math.min(at, rows().length - 1)] ?? panel).focus()
    if (now.messages === undefined && !now.listState.isLoading && !now.listState.failure && now.status === 'ready') {
      void core()?.load(state.tab)
    }
    panel.lang = speech().tag
  }

  const closeOutside = (event: Event): void => {
    if (isShown && !isInline() && !event.composedPath().includes(host.element)) host.element.hide()
  }
  const keys = createKeys({
    panel,
    rows,
    tabs,
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
  const ends = [
    listen(panel, 'keydown', (event) => keys(event as KeyboardEvent)),
    listen(document, 'pointerdown', closeOutside),
  ]
  const ticking = setInterval(update, TICK_MS)

  return {
    update,
    reset: () => {
      Object.assign(state, FRESH)
      rowHolder.replaceChildren()
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

function recordRead(host: PanelHost, ids: string[]): void {
  const core = host.controller()?.core
  for (const id of ids) if (core?.find(id)?.readAt === null) core.record(id, 'read')
}
