// The panel: shows the inbox of the element's controller as popover or inline, and carries out what the user does in it.

import { render } from 'lit/html.js'
import type { InboxMessage } from '../../../contract/api.ts'
import { listen } from '../../inbox/waking.ts'
import { element } from '../../lib/dom.ts'
import { oncePerFrame } from '../../lib/per-frame.ts'
import { adopt } from '../../lib/sheet.ts'
import { idle, whileIdle } from '../../lib/while-idle.ts'
import { NcHideEvent } from '../events/hide.ts'
import { NcShowEvent } from '../events/show.ts'
import { createCategories } from './categories.ts'
import { createListRows } from './list/list-rows.ts'
import { messageStyles } from './message/message.styles.ts'
import { createNotices } from './notices.ts'
import { panelStyles } from './panel.styles.ts'
import { createActions } from './panel-actions.ts'
import { archive, createCommands } from './panel-commands.ts'
import { createKeys, type KeyTargets } from './panel-keys.ts'
import { FRESH, type PanelState } from './panel-state.ts'
import type { Panel, PanelHost } from './panel-types.ts'
import { panelView } from './panel-view.ts'
import { placeByScript, pop } from './popping.ts'
import { createRareViews, createSheetFocus } from './rare-views.ts'
import { readContext } from './read-context.ts'
import { createSpeech } from './speech.ts'
import { guardPresses } from './touch/presses.ts'
import type { ViewActions, ViewContext } from './view-context.ts'

/** Times in the rows stay true by being written anew. */
const TICK_MS = 20_000

export function createPanel(host: PanelHost): Panel {
  const { shadow, root } = host
  const panel = element('div', { part: 'panel', class: 'panel', tabindex: '-1' })
  const state: PanelState = { ...FRESH }
  let [isShown, isGone] = [false, false]
  const focusNewSheet = createSheetFocus(panel)
  const isInline = (): boolean => host.element.mode === 'inline'
  adopt(shadow, panelStyles())
  adopt(shadow, messageStyles())
  place()
  root.append(panel)
  const placing = placeByScript(host, panel)
  placing.want()
  const core = () => host.controller()?.core

  const update = oncePerFrame(settle)
  const isListShown = (): boolean => isShown && state.detailId === undefined && !state.isSettingsShown
  const swipeAway = (message: InboxMessage): void => archive(act, [message])
  const rows = createListRows(host, panel, state, { update, isListShown, archive: swipeAway })
  const { places } = rows
  const speech = createSpeech(host.voice)
  const notices = createNotices({
    update,
    announce: (key) => host.announce(speech().say(key)),
    isHeld: () => panel.querySelector('.notice:is(:hover, :focus-within)') !== null,
  })
  const categories = createCategories(host, update)
  const views = createRareViews(host, notices, update)
  const act = createActions(host, state, { notices, update, places, views, drawNow: draw, retryRows: rows.retry })

  const isWanted = (): boolean => isInline() || host.element.open
  function settle(): void {
    if (isGone) return
    place()
    // Browsers hide a popover that is moved in the page, without a word.
    const isLost = isShown && panel.popover && !panel.matches(':popover-open')
    if (isWanted() !== isShown || isLost) toggle(isWanted())
    else if (isShown) draw()
    else drawAhead()
  }

  /** A popover is out of the page's flow from the start: a closed panel takes no room. */
  function place(): void {
    panel.setAttribute('role', isInline() ? 'region' : 'dialog')
    // Before it is drawn: what has the focus is told by its name.
    panel.setAttribute('aria-label', host.voice.say('notifications'))
    if (isInline()) {
      pop(panel, false)
      panel.removeAttribute('popover')
    } else if (!panel.hasAttribute('popover')) {
      panel.setAttribute('popover', 'manual')
      // It may have stood in the page until now: an open one is shown anew.
      isShown = false
    }
  }

  function toggle(shows: boolean): void {
    isShown = shows
    if (isInline()) {
      if (shows) draw()
      return
    }
    if (shows) {
      placing.want()
      // Shown first: a long list is drawn by its place in the view.
      pop(panel, true)
      // Focused before anything is drawn: the browser has just laid it out for the popover, and would have to again.
      panel.focus()
      // In a task of its own, but before the next frame; at once where the browser has no such tasks.
      window.scheduler?.postTask(settle, { priority: 'user-blocking' }) ?? settle()
      host.tell(new NcShowEvent())
      return
    }
    const hadFocus = host.element.contains(focusedBeside(host))
    pop(panel, false)
    Object.assign(state, { ...FRESH, tab: state.tab })
    notices.end()
    if (hadFocus || document.activeElement === document.body) host.focusBell()
    host.tell(new NcHideEvent())
  }

  const read = () => readContext(host, state, speech(), act, { rows, views, categories, notice: notices.shown })
  const closedList = () =>
    isShown || isGone || rows.holder.classList.contains('windowed') ? undefined : (core()?.list(state.tab) ?? [])
  const drawAhead = createAhead(host, panel, closedList, read)

  function draw(): void {
    if (host.openingId !== undefined) {
      Object.assign(state, { ...FRESH, tab: state.tab, detailId: host.openingId })
      host.openingId = undefined
    }
    const place = places.of(places.focused()?.dataset.id ?? state.currentId)
    const hadFocus = panel.contains(shadow.activeElement)
    const now = read()
    // A message that went away while it was open: back to the list.
    if (state.detailId !== undefined && now.detail === undefined) state.detailId = undefined
    if (state.currentId !== undefined && !now.messages?.some(({ id }) => id === state.currentId)) {
      now.currentId = state.currentId = undefined
    }
    // A picture of an empty list that does not come is no loss; nor is it asked for at each drawing.
    if (now.messages?.length === 0 && !views.rare.hasFailed) views.rare.want()
    if (now.detail?.bodyFormat === 'markdown') views.markdown.want()
    rows.prepare(now)
    render(panelView(now), panel)
    rows.settle(now)
    // Set anew, be it to the same, it has the style of all that is in the panel computed again.
    if (panel.lang !== now.tag) panel.lang = now.tag
    focusNewSheet()
    // The focus does not vanish with what had it: the row in the place of the last one has it, the open message, or the panel.
    if (hadFocus ? shadow.activeElement === null : isSlottedLost(host)) {
      if (isListShown() && place >= 0) goTo(place)
      else (panel.querySelector<HTMLElement>('.detail-scroll') ?? panel).focus()
    }
    if (now.messages === undefined && !now.listState.isLoading && !now.listState.failure && now.status === 'ready') {
      void core()?.load(state.tab)
    }
    // What is below the view comes when nothing else is to be done, and soon on a page that is never idle.
    if (rows.grow()) idle(settle, { timeout: 100 })
    // The end may be in view already, or have come there while a page was on its way: no scrolling would tell.
    else if (isShown) act.scrolled({ target: panel.querySelector('.scroller') })
  }

  const closeOutside = (event: Event): void => {
    if (isShown && !isInline() && !event.composedPath().includes(host.element)) host.element.hide()
  }
  const goTo = (place: number): void => {
    if (rows.grow(true)) draw()
    state.currentId = places.focus(place)?.id
    update()
  }
  const find = (id: string | undefined): InboxMessage | undefined => core()?.find(id ?? '')
  const rowCount = (): number => {
    // A key that is quicker than the first drawing.
    if (places.messages.length === 0) draw()
    return places.messages.length
  }
  const placeOf = (row: HTMLElement): number => places.of(row.dataset.id)
  const keys = createKeys({ panel, rowCount, placeOf, goTo, ...deedsOfKeys(state, act, host, find, draw) })
  const end = listenAll(root, panel, { keydown: keys, pointerdown: closeOutside, pagehide: notices.end, tick: update })

  return {
    // A press is answered at once, all else with the next frame.
    update: () => (isWanted() === isShown ? update() : settle()),
    reset: () => {
      notices.end()
      Object.assign(state, FRESH)
      rows.empty()
      categories.forget()
      if (isShown) draw()
    },
    destroy: () => {
      notices.end()
      isGone = true
      placing.end()
      rows.stop()
      end()
      panel.remove()
    },
  }
}

/** As the page sees it: the element, what is in a slot of it, or something else. */
const focusedBeside = ({ element }: PanelHost) => (element.getRootNode() as Document).activeElement

/** What is in a slot has the focus, and the slot is gone. */
function isSlottedLost(host: PanelHost): boolean {
  const slotted = focusedBeside(host)
  return slotted !== host.element && host.element.contains(slotted) && !slotted?.checkVisibility()
}

/** What a panel hears of, until it ends. */
function listenAll(
  root: HTMLElement,
  panel: HTMLElement,
  hear: { keydown(event: KeyboardEvent): void; pointerdown(event: Event): void; pagehide(): void; tick(): void },
): () => void {
  const ends = [
    guardPresses(root),
    listen(panel, 'keydown', (event) => hear.keydown(event as KeyboardEvent)),
    listen(document, 'pointerdown', hear.pointerdown),
    listen(window, 'pagehide', hear.pagehide),
    listen(window, 'online', hear.tick),
    listen(window, 'offline', hear.tick),
  ]
  const ticking = setInterval(hear.tick, TICK_MS)
  return () => {
    clearInterval(ticking)
    for (const end of ends) end()
  }
}

/** Draws and lays out what an opening will show, while nobody waits for it: formats, the panel, its first rows. */
function createAhead(
  { voice }: PanelHost,
  panel: HTMLElement,
  /** Of a closed panel; empty while it is on its way, undefined when there is nothing to be drawn ahead. */
  list: () => InboxMessage[] | undefined,
  read: () => ViewContext,
): () => void {
  const isWanted = (left: number): boolean => {
    const length = list()?.length ?? -1
    // The last three pieces are of the list.
    return length > 0 || (length === 0 && left > 3)
  }
  // Whole: in part, a list is drawn by its place in the view.
  const drawRows = (how?: Partial<ViewContext>): void =>
    void render(panelView({ ...read(), windowed: undefined, ...how }), panel)
  /** Never painted: the browser finds the fonts, which an opening would wait for. */
  const layOut = (): void => {
    panel.classList.add('open')
    panel.querySelector('.words')?.getClientRects()
    panel.classList.remove('open')
  }
  const drawOne = (): void => drawRows({ most: 1 })
  let go: (() => void) | undefined
  let spoken: string | undefined
  return () => {
    // Once more when the language has come: else the opening would write all words anew, and make its formats.
    if (spoken !== voice.locale)
      go = whileIdle(isWanted, [
        // The first time that a process is asked for a format, V8 looks through all its locales: 45 ms on a phone, alone.
        () => Intl.RelativeTimeFormat.supportedLocalesOf(),
        drawOne,
        layOut,
        drawOne,
        drawRows,
        layOut,
      ])
    spoken = voice.locale
    go?.()
  }
}

/** What the keys do, from the innermost thing that is open outwards. */
function deedsOfKeys(
  state: PanelState,
  act: ViewActions,
  host: PanelHost,
  find: (id: string | undefined) => InboxMessage | undefined,
  draw: () => void,
): Pick<KeyTargets, 'open' | 'escape' | 'command'> {
  const command = createCommands(state, act, find)
  return {
    open: ({ dataset }) => {
      const message = find(dataset.id)
      if (message !== undefined) act.open(message)
    },
    escape: () => {
      if (state.isHelpShown) act.help(false)
      else if (state.snoozingId !== undefined) act.chooseSnooze(undefined)
      else if (state.isSettingsShown) act.settings(false)
      else if (state.detailId !== undefined) act.back()
      else if (state.selected !== undefined) act.select(undefined)
      else if (host.element.mode === 'inline') return false
      else host.element.hide()
      return true
    },
    command: (key, row) => {
      const isDone = command(key, find(state.detailId ?? row?.dataset.id))
      // At once: the next key may come before the next frame.
      if (isDone) draw()
      return isDone
    },
  }
}
