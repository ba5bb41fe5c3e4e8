// <nc-delivery-grid>: the records as an ARIA grid of which only the visible rows are in the document.

import { VirtualizerController } from '@tanstack/lit-virtual'
import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { repeat } from 'lit/directives/repeat.js'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { badge, tag } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'
import { LightElement } from '../../lib/light-element.ts'
import { reasonName } from '../../lib/reasons.ts'
import { setStyle } from '../../lib/set-style.ts'
import { type DeliveryList, emptyList } from './delivery-list.ts'

/** Heights of a row, in px: in a wide window, and in a narrow one, where a row has two lines. */
const ROW_PX = 40
const NARROW_ROW_PX = 64
const HEAD_PX = 36
const NARROW = matchMedia('(max-width: 720px)')
/** The next page is asked for when so many rows are left. */
const ROWS_AHEAD = 30

const COLUMNS = ['Message', 'Recipient', 'Campaign', 'Channel', 'Status', 'Engagement', 'Branch', 'Time'] as const

/** The record of a row was chosen: by a click, Enter or Space. */
export class OpenDelivery extends Event {
  readonly messageId: string
  constructor(messageId: string) {
    super('open-delivery')
    this.messageId = messageId
  }
}

export class NcDeliveryGrid extends LightElement {
  static override properties = {
    list: { attribute: false },
    openId: { attribute: false },
    isLoadingMore: { attribute: false },
    current: { state: true },
  }

  declare list: DeliveryList
  /** The message of the side view. */
  declare openId: string | undefined
  declare isLoadingMore: boolean
  /** The row that the keys act on. */
  declare current: number

  readonly #scroller = createRef<HTMLElement>()
  readonly #virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    getScrollElement: () => this.#scroller.value ?? null,
    count: 0,
    estimateSize: () => rowHeight(),
    overscan: 8,
    // Until the scroller is measured: the first rendering has its rows, and the browser lays it out once.
    initialRect: { width: innerWidth, height: innerHeight },
    // The head covers so much of the scroller.
    scrollPaddingEnd: HEAD_PX,
  })

  constructor() {
    super()
    this.list = EMPTY
    this.isLoadingMore = false
    this.current = 0
  }

  override connectedCallback(): void {
    super.connectedCallback()
    NARROW.addEventListener('change', this.#measure)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    NARROW.removeEventListener('change', this.#measure)
  }

  get isAtTop(): boolean {
    return (this.#scroller.value?.scrollTop ?? 0) < ROW_PX
  }

  scrollToTop(): void {
    this.#scroller.value?.scrollTo({ top: 0 })
    this.current = 0
  }

  override focus(): void {
    this.#scroller.value?.focus()
  }

  readonly #measure = (): void => {
    this.#virtual.getVirtualizer().measure()
    this.requestUpdate()
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    const opened = changed.has('openId') || changed.get('list') === EMPTY ? this.#indexOf(this.openId) : -1
    if (opened >= 0) this.current = opened
    const virtualizer = this.#virtual.getVirtualizer()
    virtualizer.setOptions({ ...virtualizer.options, count: this.list.records.length })
    this.current = Math.max(0, Math.min(this.current, this.list.records.length - 1))
  }

  #indexOf(messageId: string | undefined): number {
    return this.list.records.findIndex((record) => record.messageId === messageId)
  }

  protected override updated(): void {
    const last = this.#virtual.getVirtualizer().getVirtualItems().at(-1)
    const { hasMore, records } = this.list
    if (!hasMore || this.isLoadingMore || last === undefined) return
    if (last.index >= records.length - ROWS_AHEAD) this.dispatchEvent(new Event('need-more'))
  }

  override render(): TemplateResult {
    const virtualizer = this.#virtual.getVirtualizer()
    const { records, hasMore } = this.list
    const active = records[this.current]
    const isRendered = virtualizer.getVirtualItems().some(({ index }) => index === this.current)
    return html`<div
      class="grid"
      role="grid"
      tabindex="0"
      aria-label="Deliveries, newest first"
      aria-colcount=${COLUMNS.length}
      aria-rowcount=${hasMore ? -1 : records.length + 1}
      aria-activedescendant=${active !== undefined && isRendered ? rowId(this.current) : nothing}
      aria-busy=${this.isLoadingMore}
      @keydown=${this.#onKey}
      ${ref(this.#scroller)}
    >
      <div class="grid-head" role="rowgroup">
        <div class="grid-row" role="row" aria-rowindex="1">
          ${COLUMNS.map(
            (name, at) =>
              html`<div class="grid-cell" role="columnheader" aria-colindex=${at + 1} data-column=${name}>${name}</div>`,
          )}
        </div>
      </div>
      <div class="grid-body" role="rowgroup" ${setStyle({ height: `${virtualizer.getTotalSize()}px` })}>
        ${repeat(
          virtualizer.getVirtualItems(),
          ({ index }) => records[index]?.messageId ?? index,
          ({ index, start }) => this.#row(records[index], index, start),
        )}
      </div>
    </div>
    ${this.isLoadingMore ? html`<p class="grid-more" role="status">Loading more…</p>` : nothing}`
  }

  #row(record: DeliveryRecordAnswer | undefined, index: number, start: number): unknown {
    if (record === undefined) return nothing
    const { messageId, userId, userName, campaignKey, campaignName, channel, status, statusReason } = record
    const { title, engagement, branch, version, isTest } = record
    const cell = (name: (typeof COLUMNS)[number], content: unknown) =>
      html`<div class="grid-cell" role="gridcell" aria-colindex=${COLUMNS.indexOf(name) + 1} data-column=${name}>${content}</div>`
    return html`<div
      class="grid-row"
      role="row"
      id=${rowId(index)}
      aria-rowindex=${index + 2}
      aria-selected=${messageId === this.openId}
      data-current=${index === this.current ? '' : nothing}
      data-message=${messageId}
      @click=${() => this.#open(index)}
      ${setStyle({ transform: `translateY(${start}px)`, height: `${rowHeight()}px` })}
    >
      ${cell(
        'Message',
        html`<span class="cell-text" title=${title ?? nothing}>${title ?? html`<span class="none">Not rendered</span>`}</span
          >${isTest ? tag('Test') : nothing}`,
      )}
      ${cell('Recipient', html`<span class="cell-text" title=${userId}>${userName ?? userId}</span>`)}
      ${cell(
        'Campaign',
        html`<span class="cell-text" title=${campaignKey}>${campaignName}</span><span class="cell-note">v${version}</span>`,
      )}
      ${cell('Channel', channel)}
      ${cell('Status', html`${badge(status)}${statusReason === null ? nothing : html`<span class="cell-note" title=${reasonName(statusReason)}>${statusReason.replaceAll('-', ' ')}</span>`}`)}
      ${cell('Engagement', engagement === 'none' ? html`<span class="none">–</span>` : badge(engagement))}
      ${cell('Branch', branch === null ? html`<span class="none">–</span>` : html`<span class="cell-text" title=${branch}>${branch}</span>`)}
      ${cell('Time', age(record.createdAt))}
    </div>`
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const { length } = this.list.records
    const page = Math.max(1, Math.floor((this.#scroller.value?.clientHeight ?? 0) / rowHeight()) - 2)
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -length,
      End: length,
    }
    const step = steps[event.key]
    if (step !== undefined) this.#move(this.current + step)
    else if (event.key === 'Enter' || event.key === ' ') this.#open(this.current)
    else return
    event.preventDefault()
  }

  #move(to: number): void {
    this.current = Math.max(0, Math.min(to, this.list.records.length - 1))
    this.#virtual.getVirtualizer().scrollToIndex(this.current, { align: 'auto' })
  }

  #open(index: number): void {
    this.current = index
    const record = this.list.records[index]
    if (record !== undefined) this.dispatchEvent(new OpenDelivery(record.messageId))
  }
}

const EMPTY = emptyList()
const rowHeight = (): number => (NARROW.matches ? NARROW_ROW_PX : ROW_PX)
const rowId = (index: number): string => `delivery-row-${index}`

customElements.define('nc-delivery-grid', NcDeliveryGrid)
