// <nc-list>: the feed of rows, and what stands in its place while there are none.

import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { InboxMessage } from '../../../../contract/api.ts'
import type { ListName, ListState } from '../../../inbox/core-types.ts'
import type { PanelI18n } from '../i18n.ts'
import { icon } from '../icons.ts'
import { NcRow } from '../message/row.ts'
import type { PanelActions } from '../panel-actions.ts'
import { PanelPiece } from '../panel-piece.ts'
import { listStyles } from './list.styles.ts'
import { OwnRows, type RenderRow } from './own-rows.ts'
import { moreFailed, skeleton, state } from './states.ts'
import { VisibilityController } from './visibility-controller.ts'
import { WindowController, type WindowHost } from './windowing.ts'

const PROPERTY = { attribute: false }
const NONE: InboxMessage[] = []
/** What comes there is seen, in px. */
const NEAR_TOP = 40

/** Its role, name and id are attributes that the panel sets. */
export class NcList extends PanelPiece implements WindowHost {
  static override readonly styles = listStyles
  static override readonly properties = {
    tab: PROPERTY,
    name: PROPERTY,
    loaded: PROPERTY,
    listState: PROPERTY,
    isOffline: PROPERTY,
    i18n: PROPERTY,
    now: PROPERTY,
    currentId: PROPERTY,
    snoozingId: PROPERTY,
    selected: PROPERTY,
    renderRow: PROPERTY,
    emptyPicture: PROPERTY,
    actions: PROPERTY,
    isInFront: PROPERTY,
    activeId: { state: true },
    newAbove: { state: true },
  }

  declare tab: ListName
  /** Of the tab, in words. */
  declare name: string
  /** Undefined until the first page of this tab. */
  declare loaded: InboxMessage[] | undefined
  declare listState: ListState
  declare isOffline: boolean
  declare i18n: PanelI18n
  /** The service's time, epoch ms. */
  declare now: number
  /** The row that Tab leads to. */
  declare currentId: string | undefined
  /** The message for which a time to snooze to is being chosen. */
  declare snoozingId: string | undefined
  /** The selected messages; undefined while nothing is being selected. */
  declare selected: ReadonlySet<string> | undefined
  /** The page's function for the inside of rows. */
  declare renderRow: RenderRow | undefined
  /** Undefined until its part is loaded. */
  declare emptyPicture: TemplateResult | undefined
  declare actions: PanelActions
  /** False while something lies over the list. */
  declare isInFront: () => boolean
  /** Pointed at, or in focus: of a long list, or beside a sheet, this row alone shows its actions. */
  declare protected activeId: string | undefined
  /** How many messages have come above the view since it left the top. */
  declare protected newAbove: number
  readonly #ownRows = new OwnRows()
  readonly #window = new WindowController(this)

  constructor() {
    super()
    this.newAbove = 0
    this.addEventListener('scroll', () => this.#forgetNewAbove(), { passive: true })
    new VisibilityController(this, {
      isListInFront: () => this.isInFront(),
      onSeen: (ids) => this.actions.seen(ids),
    })
  }

  get messages(): InboxMessage[] {
    return this.loaded ?? NONE
  }

  /** What is as high as all messages together; undefined of a list that is long, or empty. */
  get contentElement(): HTMLElement | undefined {
    const isShort = this.loaded?.length && !this.#window.isWindowed
    return (isShort && this.querySelector<HTMLElement>('.list')) || undefined
  }

  /** Of the row that has the focus. */
  get focusedId(): string | undefined {
    const { activeElement } = this.getRootNode() as ShadowRoot
    return activeElement?.closest<HTMLElement>('article.row')?.dataset.id
  }

  /** @returns -1 when it is not in the list */
  indexOf(id: string | undefined): number {
    return id === undefined ? -1 : this.messages.findIndex((message) => message.id === id)
  }

  /** Gives the focus to the row at this place, or the nearest. @returns its message; undefined when there is no row */
  focusRow(index: number): InboxMessage | undefined {
    const at = Math.max(0, Math.min(index, this.messages.length - 1))
    const message = this.messages[at]
    if (message === undefined) return undefined
    this.#window.reveal(at)
    const rows = [...this.querySelectorAll<HTMLElement>('article.row')]
    const row = rows.find(({ dataset }) => dataset.id === message.id)
    row?.focus({ preventScroll: true })
    return row && message
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get('loaded') as InboxMessage[] | undefined
    if (changed.has('tab')) this.newAbove = 0
    else if (before?.[0] !== undefined) this.newAbove += Math.max(0, this.indexOf(before[0].id))
    this.#forgetNewAbove()
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    const root = this.getRootNode() as ShadowRoot
    const focused = root.activeElement as HTMLElement | null
    super.update(changed)
    if (this.actions.isPanelShown) for (const row of this.querySelectorAll<NcRow>('nc-row')) row.flush()
    // A row that moves within the page loses the focus: the one that was above the view and now is below it.
    if (root.activeElement === null && this.contains(focused)) focused?.focus({ preventScroll: true })
  }

  protected override updated(): void {
    this.#ownRows.prune((id) => this.actions.find(id) !== undefined)
  }

  protected override render(): TemplateResult {
    const { loaded, listState, i18n, actions } = this
    return html`${this.#pill()}${this.#content()}
      ${loaded?.length && listState.isLoading && listState.hasMore ? skeleton(1) : nothing}
      ${loaded?.length && listState.failure ? moreFailed(i18n.t, actions.tryAgain) : nothing}
      <span class="live" role="status">${loaded === undefined && listState.isLoading ? i18n.t('loading') : ''}</span>`
  }

  #pill(): TemplateResult | typeof nothing {
    if (this.newAbove === 0) return nothing
    const text = this.i18n.t('arrived', { count: this.newAbove })
    return html`<div class="above">
      <button type="button" class="button primary" @click=${() => this.focusRow(0)}>${text} ${icon('up')}</button>
    </div>`
  }

  #forgetNewAbove(): void {
    // First the number: to read the place has the page laid out.
    if (this.newAbove > 0 && this.scrollTop < NEAR_TOP) this.newAbove = 0
  }

  #content(): TemplateResult {
    const { loaded, listState, actions } = this
    const { t } = this.i18n
    const { tryAgain } = actions
    if (loaded !== undefined) return loaded.length === 0 ? this.#empty() : this.#feed(loaded)
    if (this.isOffline)
      return state({ icon: 'offline', title: t('offlineEmpty'), hint: t('offlineEmptyHint'), tryAgain }, t)
    if (listState.failure)
      return state({ icon: 'error', title: t('error'), reference: listState.failure.correlationId, tryAgain }, t)
    return html`<div part="list" class="list" aria-busy="true">${skeleton(5)}</div>`
  }

  #empty(): TemplateResult {
    const { t } = this.i18n
    const key = EMPTY_KEYS[this.tab] ?? 'emptyAll'
    return html`<slot name="empty"
      ><div part="empty" class="state">
        <span class="resting">${this.emptyPicture}</span>
        <p class="state-title">${t(key)}</p>
        <p class="state-hint">${t(`${key}Hint`)}</p>
      </div></slot
    >`
  }

  #feed(messages: InboxMessage[]): TemplateResult {
    const { isWindowed, indexes } = this.#window
    const current = this.#window.currentIndex(this.currentId)
    return html`<div
      part="list"
      class=${isWindowed ? 'list long' : 'list'}
      role="feed"
      aria-label=${this.name}
      aria-busy=${this.listState.isLoading}
    >
      <div
        class=${isWindowed ? 'rows windowed' : 'rows'}
        @pointerover=${this.#point}
        @focusin=${this.#point}
        @pointerleave=${this.#point}
      >
        ${repeat(
          indexes,
          (index) => this.#window.keyOf(messages[index] as InboxMessage),
          (index) => this.#row(messages[index] as InboxMessage, index, index === current),
        )}
      </div>
    </div>`
  }

  #row(message: InboxMessage, index: number, isCurrent: boolean): TemplateResult {
    const { i18n, now, actions, selected, listState, messages } = this
    return html`<nc-row
      ?pinned=${index === this.#window.pinned}
      .message=${message}
      .i18n=${i18n}
      .now=${now}
      .actions=${actions}
      .index=${index}
      .total=${listState.hasMore ? -1 : messages.length}
      .day=${this.#dayAbove(message, index)}
      .isCurrent=${isCurrent}
      .isSnoozing=${message.id === this.snoozingId}
      .isSelected=${selected?.has(message.id)}
      .showsActions=${this.activeId === message.id || !(this.#window.isWindowed || actions.isSheetShown)}
      .content=${this.#ownRows.contentOf(message, this.renderRow)}
    ></nc-row>`
  }

  /** The day, of its first row. */
  #dayAbove(message: InboxMessage, index: number): string | undefined {
    if (message.snoozedUntil !== null) return undefined
    const { times } = this.i18n
    const day = times.day(message.createdAt, this.now)
    const above = this.messages[index - 1]
    return above !== undefined && times.day(above.createdAt, this.now) === day ? undefined : day
  }

  readonly #point = (event: Event): void => {
    const row = (event.target as Element).closest<HTMLElement>('article.row')
    this.activeId = row?.dataset.id ?? this.focusedId
  }
}

/** By tab, of the texts of an empty list. */
const EMPTY_KEYS: Partial<Record<ListName, string>> = {
  all: 'emptyAll',
  unopened: 'emptyUnopened',
  snoozed: 'emptySnoozed',
  archived: 'emptyArchived',
}

NcRow.register('nc-row')
NcList.register('nc-list')
