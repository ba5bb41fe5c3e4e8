// What a user does in the panel, carried out: delivery events first, then the page's say by its event, then the deed.

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import type { MessageChange } from '../../inbox/core-types.ts'
import { NcActionEvent } from '../events/action.ts'
import { NcFollowLinkEvent } from '../events/follow-link.ts'
import { NcOpenMessageEvent } from '../events/open-message.ts'
import type { RowPlaces } from './list/row-places.ts'
import type { Notices } from './notices.ts'
import type { PanelState } from './panel-state.ts'
import type { PanelHost } from './panel-types.ts'
import type { RareViews } from './rare-views.ts'
import type { ViewActions } from './view-context.ts'

export interface Surroundings {
  notices: Notices
  update(): void
  drawNow(): void
  places: RowPlaces
  retryRows(): void
  views: RareViews
}

/** The next page is asked for when the end is this close, in px. */
const NEAR_END = 400

export function createActions(host: PanelHost, state: PanelState, around: Surroundings): ViewActions {
  const { notices, places } = around
  /** Where the opened message stood in the list. */
  let openedAt = 0
  const core = () => host.controller()?.core

  /** Refused changes were put back by the store; here it is said. */
  const attempt = async (deed: Promise<void> | undefined): Promise<void> => {
    try {
      await deed
    } catch {
      notices.tell('refused')
    }
  }
  const focusRow = (id: string | undefined, place: number): void => {
    const now = places.of(id)
    places.focus(now < 0 ? place : now)
  }
  const back = (): void => {
    const id = state.detailId
    state.detailId = state.snoozingId = undefined
    around.drawNow()
    // Opened, it may have left the list ("Unread"): then the row in its place has the focus.
    focusRow(id, openedAt)
  }
  const clicked = (message: InboxMessage, link: string | null): void =>
    core()?.record([message.id], 'clicked', { urgent: true, ...(link !== null && { link }) })

  const change = (messages: InboxMessage[], wanted: MessageChange, done: string): void => {
    if (messages.some(({ id }) => id === state.detailId)) back()
    state.snoozingId = state.selected = undefined
    const ids = messages.map(({ id }) => id)
    const ask = (asked: MessageChange) =>
      ids.length === 1 ? core()?.change(ids[0] as string, asked) : core()?.changeMany(ids, asked)
    if (done === '') around.update()
    else notices.tell(done, { undo: () => void attempt(ask(reverseOf(wanted, messages[0]))) })
    void attempt(ask(wanted))
  }
  const remove = (messages: InboxMessage[]): void => {
    if (messages.some(({ id }) => id === state.detailId)) back()
    state.selected = undefined
    const removal = core()?.removeLater(messages.map(({ id }) => id))
    if (removal === undefined) return
    notices.tell('done_deleted', {
      undo: removal.undo,
      settle: () => void attempt(removal.settle()),
    })
  }

  return {
    back,
    change,
    remove,
    undo: notices.undo,
    close: () => host.element.hide(),
    selectTab: (tab) => {
      Object.assign(state, { tab, currentId: undefined, selected: undefined })
      around.drawNow()
      host.shadow.querySelector('.tab[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    open: (message) => {
      core()?.record([message.id], 'opened', { urgent: true })
      if (!host.tell(new NcOpenMessageEvent(message))) return
      openedAt = places.of(message.id)
      state.detailId = state.currentId = message.id
      around.drawNow()
      host.shadow.querySelector<HTMLElement>('.detail-scroll')?.focus()
    },
    markAllRead: () => {
      notices.tell('done_markedRead')
      void attempt(host.element.markAllRead())
    },
    chooseSnooze: (message) => {
      const before = state.snoozingId
      state.snoozingId = message?.id
      around.views.needRare()
      if (message !== undefined) return
      // Taken away at once: the next sheet is another one, and wants the focus.
      around.drawNow()
      if (state.detailId === undefined) focusRow(before, 0)
    },
    select: (chosen) => {
      state.selected = chosen && new Set(chosen)
      around.views.needRare()
    },
    help: (isShown) => {
      state.isHelpShown = isShown
      around.views.needRare()
      if (!isShown) around.drawNow()
    },
    settings: (isShown) => {
      Object.assign(state, { isSettingsShown: isShown, snoozingId: undefined, isHelpShown: false })
      if (isShown) around.views.needSettings()
      around.drawNow()
      if (!isShown) host.shadow.querySelector<HTMLElement>('.gear')?.focus()
    },
    follow: (event, message, link) => {
      clicked(message, link)
      if (!host.tell(new NcFollowLinkEvent(message, link))) event.preventDefault()
    },
    run: (event, message, action: MessageAction) => {
      clicked(message, action.link)
      if (!host.tell(new NcActionEvent(message, action))) event.preventDefault()
    },
    tryAgain: () => {
      around.retryRows()
      void host.element.refresh()
      if (state.tab !== 'all') void core()?.load(state.tab)
    },
    scrolled: ({ target }) => {
      if (!(target instanceof HTMLElement) || target.clientHeight === 0) return
      const { isLoading, hasMore, failure } = core()?.listState(state.tab) ?? { isLoading: true, hasMore: false }
      const rest = target.scrollHeight - target.scrollTop - target.clientHeight
      if (hasMore && !isLoading && failure === undefined && rest < NEAR_END) void core()?.load(state.tab)
    },
  }
}

/** Back to what the messages were; those of one list have the state of the list in common. */
function reverseOf(wanted: MessageChange, before: InboxMessage | undefined): MessageChange {
  if (before === undefined) return {}
  return {
    ...(wanted.archived !== undefined && { archived: before.archivedAt !== null }),
    ...(wanted.unopened !== undefined && { unopened: before.unopened }),
    ...(wanted.snoozedUntil !== undefined && { snoozedUntil: before.snoozedUntil }),
  }
}
