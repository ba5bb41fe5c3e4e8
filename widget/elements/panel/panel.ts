// <nc-panel>: shows the inbox as popover or inline, with header, tabs, list and detail.

import { html, nothing, type PropertyValues, type ReactiveController, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import type { Counts } from '../../inbox/change-log.ts'
import type { InboxCore, InboxStatus, ListName, ListState } from '../../inbox/core-types.ts'
import { idle, nextFrame } from '../../lib/schedule.ts'
import { NcHideEvent, NcShowEvent } from '../events.ts'
import { Categories } from './categories.ts'
import { FocusController } from './focus-controller.ts'
import { createPanelI18n, type PanelI18n } from './i18n.ts'
import { KeyboardController } from './keyboard-controller.ts'
import { NcList } from './list/list.ts'
import { listenInPage } from './listening.ts'
import { NcDetail } from './message/detail.ts'
import { messageStyles } from './message/message.styles.ts'
import { NcRow } from './message/row.ts'
import { NoticeController } from './notices.ts'
import { panelStyles } from './panel.styles.ts'
import { PanelActions, type PanelWithActions } from './panel-actions.ts'
import { PanelPart } from './panel-part.ts'
import { PanelPiece } from './panel-piece.ts'
import type { Category, PanelHost, RareViews } from './panel-types.ts'
import { detail, header, listSide, noticeBar, offlineBar, refusal, settings, sheet } from './panel-view.ts'
import { PopoverController } from './popover.ts'
import { PressGuard } from './press-guard.ts'
import { createRareViews } from './rare-views.ts'

/** Times in the rows stay true by being rendered anew. */
const TICK_MS = 20_000
const NO_LIST: ListState = { isLoading: false, hasMore: false, failure: undefined }
const NO_COUNTS: Counts = { unread: 0, unopened: 0 }
/** Of an opening panel; its tab stays. */
const FRESH = {
  detailId: undefined,
  currentId: undefined,
  snoozingId: undefined,
  selected: undefined,
  isHelpShown: false,
  isSettingsShown: false,
}

export class NcPanel extends PanelPiece implements PanelWithActions {
  /** In this order, whichever of the elements comes first. */
  static override readonly styles = [panelStyles, messageStyles, NcRow.styles, NcList.styles, NcDetail.styles]
  static override readonly properties = {
    host: { attribute: false },
    tab: { state: true },
    detailId: { state: true },
    currentId: { state: true },
    snoozingId: { state: true },
    selected: { state: true },
    isHelpShown: { state: true },
    isSettingsShown: { state: true },
  }

  declare host: PanelHost
  declare tab: ListName
  declare detailId: string | undefined
  declare currentId: string | undefined
  declare snoozingId: string | undefined
  declare selected: ReadonlySet<string> | undefined
  declare isHelpShown: boolean
  declare isSettingsShown: boolean
  messages: InboxMessage[] | undefined
  detail: InboxMessage | undefined
  categories: Category[] = []
  isShown = false
  override readonly actions = new PanelActions(this)
  readonly notices = new NoticeController(this)
  readonly #popover = new PopoverController(this)
  readonly #categories = new Categories(this)
  readonly #focus = new FocusController(this)
  #i18n: (() => PanelI18n) | undefined
  #views: RareViews | undefined
  /** End what waits for idle time. */
  readonly #waiting = new Set<() => void>()
  #ticking: ReturnType<typeof setInterval> | undefined
  readonly #swipe = new PanelPart<ReactiveController>(async () => {
    const part = await this.host.parts()?.loadTouch()
    return part && new part.SwipeController(this)
  })

  constructor() {
    super()
    this.tab = 'all'
    Object.assign(this, FRESH)
    new KeyboardController(this)
    new PressGuard(this)
    listenInPage(this, () => [
      [document, 'pointerdown', this.#closeOutside],
      // A page that comes back from the browser's memory is as a new one.
      [window, 'pagehide', this.#closeOutside],
      [window, 'online', this.#tick],
      [window, 'offline', this.#tick],
      [this, 'pointerdown', this.#loadSwipe],
    ])
  }

  get isInline(): boolean {
    return this.host.element.mode === 'inline'
  }
  get i18n(): PanelI18n {
    this.#i18n ??= createPanelI18n(this.host.i18n)
    return this.#i18n()
  }
  get views(): RareViews {
    this.#views ??= createRareViews(this.host, this.notices, () => this.requestUpdate())
    return this.#views
  }
  get core(): InboxCore | undefined {
    return this.host.controller()?.core
  }
  get status(): InboxStatus {
    return this.host.controller()?.status ?? 'signed-out'
  }
  get counts(): Counts {
    return this.host.controller()?.counts ?? NO_COUNTS
  }
  get now(): number {
    return this.host.controller()?.clock.now() ?? Date.now()
  }
  get list(): NcList | null {
    return this.querySelector('nc-list')
  }
  get listState(): ListState {
    return this.core?.listState(this.tab) ?? NO_LIST
  }
  get isRefused(): boolean {
    return this.status === 'error' || this.status === 'signed-out'
  }
  get isListCovered(): boolean {
    return !this.isRefused && (this.areSettingsReady || this.detail !== undefined)
  }
  get areSettingsReady(): boolean {
    return this.isSettingsShown && this.views.settings.value !== undefined
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.part.add('panel')
    this.classList.add('panel')
    this.tabIndex = -1
    this.#ticking = setInterval(this.#tick, TICK_MS)
    if (matchMedia('(any-pointer: coarse)').matches) this.#swipe.load()
    // The first format of a time takes a browser 15 ms, on a phone 80: rows do not wait for it.
    void idle().then(() => this.i18n.times.full(new Date().toJSON()))
    this.hostChanged()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticking)
  }

  /** Attributes, status or messages may be different. An opening or closing takes place at once, all else with the next frame. */
  hostChanged(): void {
    const isWanted = this.isInline || this.host.element.open
    // It may have stood in the page until now: an open one is shown anew.
    if (this.#popover.setMode(this.isInline)) this.isShown = false
    // Before it is rendered: what has the focus is announced by its name.
    this.setAttribute('aria-label', this.i18n.t('notifications'))
    if (isWanted !== this.isShown || this.#popover.isLost) this.#toggle(isWanted)
    else this.requestUpdate()
  }

  /** Another user: nothing of the former one stays in view. */
  reset(): void {
    this.notices.end()
    this.tab = 'all'
    Object.assign(this, FRESH)
    this.#categories.forget()
    if (this.hasUpdated) this.renderNow()
  }

  focusRow(index: number): InboxMessage | undefined {
    const message = this.list?.focusRow(index)
    if (message === undefined) this.focus()
    return message
  }

  /** A closed panel renders in idle time, so that opening it shows rows at once; an open one once per frame, as changes come in bursts. */
  protected override async scheduleUpdate(): Promise<void> {
    await (this.isShown ? nextFrame() : this.idleOrShown())
    super.scheduleUpdate()
  }

  protected override willUpdate(): void {
    const { host, core } = this
    if (host.openingId !== undefined && this.isShown) {
      Object.assign(this, FRESH, { detailId: host.openingId })
      host.openingId = undefined
    }
    this.messages = core?.list(this.tab)
    this.detail = this.actions.find(this.detailId)
    this.categories = this.#categories.of(core?.list('all') ?? [], this.tab)
    // A message that went away while it was open: back to the list.
    if (this.detail === undefined) this.detailId = undefined
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed)
    if (!this.isShown) return
    // What is opened has the focus before the next key comes.
    for (const piece of this.querySelectorAll<PanelPiece>('nc-list, nc-detail, nc-settings, nc-snooze, nc-keys'))
      piece.flush()
  }

  protected override render(): TemplateResult {
    const { status, isListCovered, isRefused } = this
    return html`${header(this)}
      ${status === 'offline' && isListCovered ? offlineBar(this) : nothing}
      <div class="stage">
        <div class="list-side ${isListCovered ? 'behind' : ''}" ?inert=${isListCovered}>
          ${isRefused ? refusal(this) : listSide(this)}
        </div>
        ${isRefused ? nothing : this.areSettingsReady ? settings(this) : detail(this)}
        ${this.notices.shown === undefined ? nothing : noticeBar(this, this.notices.shown)}
      </div>
      ${sheet(this)}
      <slot name="footer"></slot>`
  }

  protected override updated(): void {
    const { tag } = this.i18n
    // Set anew, be it to the same, it has the style of all that is in the panel computed again.
    if (this.lang !== tag) this.lang = tag
    if (!this.isShown || !this.isConnected) return
    this.#loadParts()
    const { isLoading, failure } = this.listState
    if (this.messages === undefined && !isLoading && !failure && this.status === 'ready') void this.core?.load(this.tab)
    // The end may be in view already, or have come there while a page was on its way: no scrolling would report it.
    this.actions.loadMore()
  }

  #loadParts(): void {
    const { rare, markdown } = this.views
    // An empty list does without its picture: it is not asked for at each rendering.
    if (this.messages?.length === 0 && !rare.hasFailed) rare.load()
    if (this.detail?.bodyFormat === 'markdown') markdown.load()
  }

  /** A busy page may not be idle for long: what is opened waits no more. */
  idleOrShown(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve)
      void idle()
        .then(() => resolve())
        .finally(() => this.#waiting.delete(resolve))
    })
  }

  #toggle(isWanted: boolean): void {
    this.isShown = isWanted
    for (const end of this.#waiting) end()
    if (this.isInline) {
      if (isWanted) this.renderNow()
    } else if (isWanted) this.#show()
    else this.#hide()
  }

  #show(): void {
    // Shown first: a long list is rendered by its place in the view.
    this.#popover.show()
    // Focused before anything is rendered: the browser has just laid it out for the popover, and would have to again.
    this.focus()
    this.renderNow()
    this.host.emit(new NcShowEvent())
  }

  #hide(): void {
    const hadFocus = this.host.element.contains(this.#focus.focusedInPage)
    this.#popover.hide()
    Object.assign(this, FRESH)
    this.notices.end()
    if (hadFocus || document.activeElement === document.body) this.host.focusBell()
    this.host.emit(new NcHideEvent())
  }

  readonly isListInFront = (): boolean => this.isShown && this.detailId === undefined && !this.isSettingsShown

  readonly #tick = (): void => {
    if (this.isShown) this.requestUpdate()
  }

  readonly #loadSwipe = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'touch') this.#swipe.load()
  }

  readonly #closeOutside = (event: Event): void => {
    if (this.isShown && !this.isInline && !event.composedPath().includes(this.host.element)) this.host.element.hide()
  }
}
