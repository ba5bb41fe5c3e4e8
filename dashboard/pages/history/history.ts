// <nc-history>: the delivery history, with filters in the address, a live list, a side view, and the export.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { pageHead } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView, messageOf } from '../../elements/states.ts'
import { formatBytes, formatCount } from '../../lib/format.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { AppPage } from '../../shell/page-element.ts'
import type { NcAgainAll } from '../again/again-all.ts'
import '../again/again-all.ts'
import { type NcDeliveryGrid, OpenDelivery } from './delivery-grid.ts'
import { type DeliveryList, firstPage, withNewest, withNextPage } from './delivery-list.ts'
import type { NcDeliveryView } from './delivery-view.ts'
import './delivery-grid.ts'
import './event-of-correlation.ts'
import { type ExportProgress, exportCsv } from './export-csv.ts'
import { filterBar } from './filter-bar.ts'
import { type Filters, firstQuery, PAGE_ROWS, parseFilters } from './filters.ts'

const POLL_MS = 3000
const VIEW = 'nc-delivery-view'

class NcHistory extends AppPage {
  static override properties = {
    ...AppPage.properties,
    areFiltersOpen: { state: true },
    isLoadingMore: { state: true },
    moreFailure: { state: true },
    exporting: { state: true },
  }

  declare areFiltersOpen: boolean
  declare isLoadingMore: boolean
  /** Why the next page is missing; it is asked for again when the person wants it. */
  declare moreFailure: unknown
  /** The running export. */
  declare exporting: { progress: ExportProgress; abort: AbortController } | undefined

  readonly #list = new Loader<DeliveryList>(this)
  /** The campaign in the filters. */
  readonly #campaign = new Loader<CampaignAnswer>(this)
  #campaignId: string | undefined
  #wasOpened = false
  readonly #tail = new Poller(this, POLL_MS, () => this.#poll())
  readonly #grid = createRef<NcDeliveryGrid>()
  readonly #view = createRef<NcDeliveryView>()
  readonly #again = createRef<NcAgainAll>()
  #filters: Filters = {}
  #viewLoadedFor: string | undefined
  /** Takes the focus once the address has changed. */
  #focusNext: 'view' | 'grid' | undefined
  /** The filters of the shown list, as text. */
  #shown = ''

  constructor() {
    super()
    this.areFiltersOpen = false
    this.isLoadingMore = false
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && this.#openId !== undefined) this.#close()
    })
  }

  protected override firstUpdated(): void {
    // The rows do not wait for it.
    void import('@awesome.me/webawesome/dist/components/switch/switch.js').catch(() => {})
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.exporting?.abort.abort()
  }

  get #openId(): string | undefined {
    return this.context.query.get('message') ?? undefined
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('context')) return
    this.#filters = parseFilters(this.context.query)
    const text = JSON.stringify(this.#filters)
    if (text !== this.#shown) {
      this.#shown = text
      this.#load()
    }
    const { campaignId } = this.#filters
    if (campaignId !== this.#campaignId) {
      this.#campaignId = campaignId
      this.#campaign.clear()
      if (campaignId !== undefined) void this.#campaign.load((signal) => this.context.api.campaign(campaignId, signal))
    }
    if (!this.#wasOpened) {
      this.#wasOpened = true
      this.areFiltersOpen = ['userId', 'channel', 'engagement', 'branch', 'from', 'to'].some(
        (name) => name in this.#filters,
      )
    }
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (this.#openId !== undefined || this.#list.state === 'ready') void this.#loadView(this.#openId)
    if (this.#list.value?.records.length === 0) void this.#loadMore()
    if (!changed.has('context') || this.#focusNext === undefined) return
    if (this.#focusNext === 'view') void customElements.whenDefined(VIEW).then(() => this.#view.value?.focus())
    else this.#grid.value?.focus()
    this.#focusNext = undefined
  }

  /** Loads the view beside the table after the first rows, and again for a message: the attempt before may have failed. */
  async #loadView(messageId = ''): Promise<void> {
    if (this.#viewLoadedFor === messageId) return
    this.#viewLoadedFor = messageId
    await import('./delivery-view.ts').catch((error) => {
      if (messageId !== '') this.context.notify(`The view of a message could not be loaded: ${messageOf(error)}`)
    })
  }

  #read(cursor?: string, signal?: AbortSignal) {
    return this.context.api.deliveries({ ...firstQuery(this.#filters), cursor }, signal)
  }

  #load(): void {
    this.#list.clear()
    this.isLoadingMore = false
    this.moreFailure = undefined
    void this.#list.load(async (signal) => firstPage(await this.#read(undefined, signal)))
  }

  async #poll(): Promise<Polled> {
    const before = this.#list.value
    if (before === undefined || this.isLoadingMore || this.#list.state !== 'ready') return undefined
    const isAtTop = this.#grid.value?.isAtTop ?? true
    const read = async (signal: AbortSignal) => withNewest(before, await this.#read(undefined, signal), isAtTop)
    const polled = await this.#list.load(read, { quiet: true })
    // Before its code is loaded it has nothing to read again.
    await this.#view.value?.refresh?.()
    return polled
  }

  async #loadMore(): Promise<void> {
    const list = this.#list.value
    if (list === undefined || this.isLoadingMore || !list.hasMore || this.moreFailure !== undefined) return
    this.isLoadingMore = true
    await this.#list.load(async (signal) => withNextPage(list, await this.#read(list.cursor, signal)), { quiet: true })
    this.isLoadingMore = false
    this.moreFailure = this.#list.error
  }

  #loadMoreAgain(): void {
    this.moreFailure = undefined
    void this.#loadMore()
  }

  #showNewest(): void {
    this.#grid.value?.scrollToTop()
    this.#load()
  }

  #close(): void {
    this.#focusNext = 'grid'
    this.context.router.setQuery({ message: undefined })
  }

  readonly #open = (event: Event): void => {
    if (!(event instanceof OpenDelivery)) return
    this.#focusNext = 'view'
    this.context.router.setQuery({ message: event.messageId }, { replace: this.#openId !== undefined })
  }

  async #export(): Promise<void> {
    const abort = new AbortController()
    this.exporting = { progress: { rows: 0, bytes: 0 }, abort }
    try {
      const { rows } = await exportCsv(this.context.api, this.#filters, abort.signal, (progress) => {
        this.exporting = { progress, abort }
      })
      this.context.notify(`Exported ${formatCount(rows)} deliveries.`)
    } catch (error) {
      this.context.notify(abort.signal.aborted ? 'The export is cancelled.' : `The export failed: ${messageOf(error)}`)
    } finally {
      this.exporting = undefined
    }
  }

  override render(): TemplateResult {
    const openId = this.#openId
    return html`<div class="page history" data-side=${openId === undefined ? nothing : ''}>
      ${pageHead('Delivery History', 'Every message, with what became of it.', this.#actions())}
      ${filterBar({
        filters: this.#filters,
        context: this.context,
        campaignName: this.#campaign.value?.name,
        isOpen: this.areFiltersOpen,
        toggle: () => {
          this.areFiltersOpen = !this.areFiltersOpen
        },
        change: (changes) => this.context.router.setQuery(changes),
      })}
      <nc-again-all ${ref(this.#again)} .context=${this.context}></nc-again-all>
      <div class="history-body">
        <div class="history-list">${this.#content()}</div>
        ${
          openId === undefined
            ? nothing
            : html`<nc-delivery-view
                ${ref(this.#view)}
                .context=${this.context}
                .messageId=${openId}
                @close-view=${() => this.#close()}
              ></nc-delivery-view>`
        }
      </div>
    </div>`
  }

  #actions(): TemplateResult {
    const toggle = ({ target }: Event) => {
      this.#tail.isOn = (target as HTMLInputElement).checked
      this.requestUpdate()
    }
    if (this.exporting === undefined)
      return html`<wa-switch size="s" ?checked=${this.#tail.isOn} @change=${toggle}>${this.#tail.isInterrupted ? 'Live, interrupted' : 'Live'}</wa-switch>
        ${this.context.may('editor') ? html`<wa-button size="s" appearance="outlined" @click=${() => this.#again.value?.askMessages(this.#filters)}>${icon('send', 'start')}Send again…</wa-button>` : nothing}
        <wa-button size="s" appearance="outlined" @click=${() => void this.#export()}>${icon('download', 'start')}Export CSV</wa-button>`
    const { progress, abort } = this.exporting
    return html`<p class="export" role="status">
        <span class="spinner" aria-hidden="true"></span>${formatCount(progress.rows)} rows, ${formatBytes(progress.bytes)}
      </p>
      <wa-button size="s" appearance="outlined" @click=${() => abort.abort()}>Cancel the export</wa-button>`
  }

  #content(): TemplateResult {
    const list = this.#list.value
    if (this.#list.state === 'failed') return failureView(this.#list.error, () => this.#load())
    if (list === undefined) return loadingView(12)
    if (list.records.length === 0) return list.hasMore ? this.#searching() : this.#empty()
    return html`${
      list.waiting === 0
        ? nothing
        : html`<button type="button" class="newer" @click=${() => this.#showNewest()}>
              ${list.waiting >= PAGE_ROWS ? `${PAGE_ROWS} or more` : list.waiting} new. Show
            </button>`
    }
      <nc-delivery-grid
        ${ref(this.#grid)}
        .list=${list}
        .openId=${this.#openId}
        .isLoadingMore=${this.isLoadingMore}
        @open-delivery=${this.#open}
        @need-more=${() => void this.#loadMore()}
      ></nc-delivery-grid>
      ${this.#foot(list)}`
  }

  #foot(list: DeliveryList): TemplateResult {
    if (this.moreFailure === undefined) return html`<p class="list-foot">${footText(list)}</p>`
    return html`<p class="list-foot" role="alert">
      ${messageOf(this.moreFailure)} <button type="button" class="link-button" @click=${() => this.#loadMoreAgain()}>Load more again</button>
    </p>`
  }

  /** The server reads so far in a page, and none matched: the next pages are on their way. */
  #searching(): TemplateResult {
    if (this.moreFailure !== undefined) return failureView(this.moreFailure, () => this.#loadMoreAgain())
    return html`<p class="list-foot" role="status">No match among the newest deliveries; searching older ones…</p>
      ${loadingView(12)}`
  }

  #empty(): TemplateResult {
    if (Object.keys(this.#filters).length > 0)
      return html`${emptyView({
        icon: 'search',
        title: 'No delivery matches',
        text: 'Remove a filter, or choose a longer time.',
      })}
      ${this.#filters.correlationId === undefined ? nothing : html`<nc-event-of-correlation .context=${this.context} .correlationId=${this.#filters.correlationId}></nc-event-of-correlation>`}`
    return emptyView({
      icon: 'inbox',
      title: 'No deliveries yet',
      text: 'Messages are listed here as soon as a campaign sends one. Track an event that starts a campaign.',
      action: html`<a class="link" href=${this.context.link('campaigns')}>Go to the campaigns</a>`,
    })
  }
}

function footText({ records, hasMore }: DeliveryList): string {
  const count = formatCount(records.length)
  return hasMore ? `${count} loaded; scroll for more.` : `${count} ${records.length === 1 ? 'delivery' : 'deliveries'}.`
}

customElements.define('nc-history', NcHistory)
