// Carries out what a user does in the panel: delivery events first, then the page's event, then the change.

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import type { InboxCore, ListName, MessageChange } from '../../inbox/core-types.ts'
import { failureOf } from '../../lib/failure.ts'
import { NcActionEvent, NcFollowLinkEvent, NcOpenMessageEvent } from '../events.ts'
import type { PanelView } from './panel-types.ts'
import type { SelectionCommand } from './rare/selection.ts'

/** The next page is asked for when the end is this close, in px. */
const NEAR_END = 400

/** <nc-panel> with its actions. */
export interface PanelWithActions extends PanelView {
  readonly actions: PanelActions
}

export class PanelActions {
  readonly #panel: PanelView
  /** Where the opened message stood in the list. */
  #openedAt = 0

  constructor(panel: PanelView) {
    this.#panel = panel
  }

  get #core(): InboxCore | undefined {
    return this.#panel.core
  }

  get isPanelShown(): boolean {
    return this.#panel.isShown
  }
  idleOrShown(): Promise<void> {
    return this.#panel.idleOrShown()
  }

  /** The keys, or the times to snooze to, stand below the list. */
  get isSheetShown(): boolean {
    return this.#panel.isHelpShown || this.#panel.snoozingId !== undefined
  }

  find(id: string | undefined): InboxMessage | undefined {
    return id === undefined ? undefined : this.#core?.find(id)
  }

  /** Rows came into view. */
  seen(ids: string[]): void {
    this.#core?.record(
      ids.filter((id) => this.find(id)?.readAt === null),
      'read',
    )
  }

  selectTab(tab: ListName): void {
    const panel = this.#panel
    Object.assign(panel, { tab, currentId: undefined, selected: undefined })
    panel.renderNow()
    panel.querySelector('.tab[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  open(message: InboxMessage): void {
    const panel = this.#panel
    this.#core?.record([message.id], 'opened', { urgent: true })
    if (!panel.host.emit(new NcOpenMessageEvent(message))) return
    this.#openedAt = panel.list?.indexOf(message.id) ?? 0
    panel.detailId = panel.currentId = message.id
    panel.renderNow()
    panel.querySelector<HTMLElement>('.detail-scroll')?.focus()
  }

  /** The message after the open one in its list (1), or before it (-1). */
  neighbour(by: 1 | -1): InboxMessage | undefined {
    const { messages = [], detailId } = this.#panel
    const now = messages.findIndex(({ id }) => id === detailId)
    // Opened, it may have left the list ("Unread"): the one in its place is the next.
    return messages[now >= 0 ? now + by : by > 0 ? this.#openedAt : this.#openedAt - 1]
  }

  /** Opens it. */
  step(by: 1 | -1): void {
    const message = this.neighbour(by)
    if (message === undefined) return
    this.open(message)
    const { isLoading, hasMore } = this.#panel.listState
    if (hasMore && !isLoading && this.neighbour(1) === undefined) void this.#core?.load(this.#panel.tab)
  }

  back(): void {
    const panel = this.#panel
    const id = panel.detailId
    panel.detailId = panel.snoozingId = undefined
    panel.renderNow()
    // Opened, it may have left the list ("Unread"): then the row in its place has the focus.
    this.#focusRow(id, this.#openedAt)
  }

  close(): void {
    this.#panel.host.element.hide()
  }

  markAllRead(): void {
    this.#panel.notices.show('done_markedRead')
    void this.#attempt(this.#panel.host.element.markAllRead())
  }

  /** `done` is the key of the notice, which offers to undo; without one when it is empty. */
  change(messages: InboxMessage[], wanted: MessageChange, done: string): void {
    const panel = this.#panel
    if (messages.some(({ id }) => id === panel.detailId)) this.back()
    panel.snoozingId = panel.selected = undefined
    const ids = messages.map(({ id }) => id)
    const ask = (asked: MessageChange) =>
      ids.length === 1 ? this.#core?.change(ids[0] as string, asked) : this.#core?.changeMany(ids, asked)
    if (done === '') panel.requestUpdate()
    else panel.notices.show(done, { undo: () => void this.#attempt(ask(reverseOf(wanted, messages[0]))) })
    void this.#attempt(ask(wanted))
  }

  /** Into the archive, or out of it when they are there. */
  archive(messages: InboxMessage[]): void {
    const isArchived = messages[0]?.archivedAt !== null
    this.change(messages, { archived: !isArchived }, isArchived ? 'done_unarchived' : 'done_archived')
  }

  remove(messages: InboxMessage[]): void {
    const panel = this.#panel
    if (messages.some(({ id }) => id === panel.detailId)) this.back()
    panel.selected = undefined
    const removal = this.#core?.removeLater(messages.map(({ id }) => id))
    if (removal === undefined) return
    panel.notices.show('done_deleted', { undo: removal.undo, settle: () => void this.#attempt(removal.settle()) })
  }

  runCommand({ name, messages }: SelectionCommand): void {
    if (name === 'archive') this.archive(messages)
    else if (name === 'delete') this.remove(messages)
    else this.change(messages, { unopened: name === 'mark-unread' }, '')
  }

  undo(): void {
    this.#panel.notices.undo()
  }

  /** Offers times for this message; undefined takes the offer away. */
  chooseSnooze(message: InboxMessage | undefined): void {
    const panel = this.#panel
    const before = panel.snoozingId
    panel.snoozingId = message?.id
    panel.list?.requestUpdate()
    panel.views.needRare()
    if (message !== undefined) return
    // Taken away at once: the next sheet is another one, which takes the focus.
    panel.renderNow()
    if (panel.detailId === undefined) this.#focusRow(before, 0)
  }

  toggleSnooze(message: InboxMessage): void {
    this.chooseSnooze(this.#panel.snoozingId === message.id ? undefined : message)
  }

  /** Selects these for one change; undefined ends selecting. */
  select(ids: string[] | undefined): void {
    this.#panel.selected = ids && new Set(ids)
    this.#panel.views.needRare()
  }

  toggleSelected({ id }: InboxMessage): void {
    const before = [...(this.#panel.selected ?? [])]
    this.select(before.includes(id) ? before.filter((other) => other !== id) : [...before, id])
  }

  help(isShown: boolean): void {
    this.#panel.isHelpShown = isShown
    this.#panel.list?.requestUpdate()
    this.#panel.views.needRare()
    if (!isShown) this.#panel.renderNow()
  }

  settings(isShown: boolean): void {
    const panel = this.#panel
    Object.assign(panel, { isSettingsShown: isShown, snoozingId: undefined, isHelpShown: false })
    if (isShown) panel.views.needSettings()
    panel.renderNow()
    if (!isShown) panel.querySelector<HTMLElement>('.gear')?.focus()
  }

  follow(event: MouseEvent, message: InboxMessage, link: string): void {
    this.#clicked(message, link)
    if (!this.#panel.host.emit(new NcFollowLinkEvent(message, link))) event.preventDefault()
  }

  run(event: MouseEvent, message: InboxMessage, action: MessageAction): void {
    this.#clicked(message, action.link)
    if (!this.#panel.host.emit(new NcActionEvent(message, action))) event.preventDefault()
  }

  readonly tryAgain = (): void => {
    void this.#panel.host.element.refresh()
    if (this.#panel.tab !== 'all') void this.#core?.load(this.#panel.tab)
  }

  /** Loads the next page when the end of the list is near. */
  readonly loadMore = (): void => {
    const { list, tab } = this.#panel
    if (!list || list.clientHeight === 0) return
    const { isLoading, hasMore, failure } = this.#core?.listState(tab) ?? { isLoading: true, hasMore: false }
    const rest = list.scrollHeight - list.scrollTop - list.clientHeight
    if (hasMore && !isLoading && failure === undefined && rest < NEAR_END) void this.#core?.load(tab)
  }

  #clicked(message: InboxMessage, link: string | null): void {
    this.#core?.record([message.id], 'clicked', { urgent: true, ...(link !== null && { link }) })
  }

  /** A refused change was put back by the store; here it is announced. */
  async #attempt(change: Promise<void> | undefined): Promise<void> {
    try {
      await change
    } catch (error) {
      this.#panel.notices.show('refused', { failure: failureOf(error) })
    }
  }

  #focusRow(id: string | undefined, index: number): void {
    const now = this.#panel.list?.indexOf(id) ?? -1
    this.#panel.focusRow(now < 0 ? index : now)
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
