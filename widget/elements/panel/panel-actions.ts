// What a user does in the panel, carried out: delivery events first, then the page's say by its event, then the deed (contract section 13).

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import type { PanelHost } from './panel-types.ts'
import type { Tab, ViewActions } from './view-context.ts'

export interface PanelState {
  tab: Tab
  detailId: string | undefined
  currentId: string | undefined
  isSnoozing: boolean
  /** Key of a word. */
  notice: string | undefined
}

interface Surroundings {
  update(): void
  drawNow(): void
  focusPanel(): void
  rows(): HTMLElement[]
  /** Says the word of this key in the live region. */
  announce(key: string): void
}

const NOTICE_MS = 5_000
/** The next page is asked for when the end is this close, in px. */
const NEAR_END = 400

export function createActions(host: PanelHost, state: PanelState, around: Surroundings): ViewActions {
  let noticeTimer: ReturnType<typeof setTimeout> | undefined
  /** Where the opened message stood in the list. */
  let openedAt = 0
  const core = () => host.controller()?.core

  const notice = (key: string): void => {
    state.notice = key
    around.announce(key)
    clearTimeout(noticeTimer)
    noticeTimer = setTimeout(() => {
      state.notice = undefined
      around.update()
    }, NOTICE_MS)
    around.update()
  }
  /** Refused changes were put back by the store; here it is said. */
  const attempt = async (deed: Promise<void> | undefined): Promise<void> => {
    try {
      await deed
    } catch {
      notice('refused')
    }
  }
  const back = (): void => {
    const id = state.detailId
    state.detailId = undefined
    state.isSnoozing = false
    around.drawNow()
    // Opened, it may have left the list ("Unread"): then the row in its place has the focus.
    const all = around.rows()
    const row = all.find(({ dataset }) => dataset.id === id) ?? all[Math.min(openedAt, all.length - 1)]
    if (row === undefined) around.focusPanel()
    else row.focus()
  }
  const clicked = (message: InboxMessage, link: string | null): void =>
    core()?.record(message.id, 'clicked', { urgent: true, ...(link !== null && { link }) })

  return {
    back,
    close: () => host.element.hide(),
    selectTab: (tab) => {
      state.tab = tab
      state.currentId = undefined
      around.drawNow()
    },
    open: (message) => {
      core()?.record(message.id, 'opened', { urgent: true })
      if (!host.mayOpen(message)) return
      openedAt = around.rows().findIndex(({ dataset }) => dataset.id === message.id)
      state.detailId = state.currentId = message.id
      around.drawNow()
      host.shadow.querySelector<HTMLElement>('.detail-scroll')?.focus()
    },
    markAllRead: () => {
      around.announce('done_markedRead')
      void attempt(host.element.markAllRead())
    },
    change: (message, change, done) => {
      if (state.detailId === message.id) back()
      if (done !== '') around.announce(done)
      void attempt(core()?.change(message.id, change))
    },
    remove: (message) => {
      if (state.detailId === message.id) back()
      around.announce('done_deleted')
      void attempt(core()?.remove(message.id))
    },
    toggleSnooze: () => {
      state.isSnoozing = !state.isSnoozing
      around.update()
    },
    follow: (event, message, link) => {
      clicked(message, link)
      if (!host.mayFollow(message, link)) event.preventDefault()
    },
    run: (event, message, action: MessageAction) => {
      clicked(message, action.link)
      if (!host.mayAct(message, action)) event.preventDefault()
    },
    tryAgain: () => {
      void host.element.refresh()
      if (state.tab !== 'all') void core()?.load(state.tab)
    },
    scrolled: ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const { isLoading, hasMore, failure } = core()?.listState(state.tab) ?? { isLoading: true, hasMore: false }
      const rest = target.scrollHeight - target.scrollTop - target.clientHeight
      if (hasMore && !isLoading && failure === undefined && rest < NEAR_END) void core()?.load(state.tab)
    },
  }
}
