// <nc-user-life>: what happened to a user, newest first and live: events and what they started, messages, reads, opens, clicks.

import { html, nothing, type TemplateResult } from 'lit'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { badge } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, faultView, loadingView } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { reasonName } from '../../lib/reasons.ts'
import type { AppContext } from '../../shell/context.ts'
import { whyOfEvent } from '../events/why-event.ts'
import { type Life, type Moment, momentsOf, type Rows, withNewest } from './life.ts'

const POLL_MS = 5000
const PAGE_ROWS = 20

class NcUserLife extends LightElement {
  static override properties = { context: { attribute: false }, userId: { attribute: false } }

  declare context: AppContext
  declare userId: string

  readonly #life = new Loader<Life>(this)
  /** A poll would drop it. */
  #isLoadingMore = false

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#poll())
  }

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    void this.#life.load(async (signal) => {
      const [events, deliveries] = await Promise.all([
        this.#events(undefined, signal),
        this.#deliveries(undefined, signal),
      ])
      return { events, deliveries }
    })
  }

  async #events(cursor: string | undefined, signal: AbortSignal): Promise<Rows<TrackedEventAnswer>> {
    const query = { userId: this.userId, limit: PAGE_ROWS, cursor }
    const { data, nextCursor } = await this.context.api.events(query, signal)
    return { rows: data, cursor: nextCursor ?? undefined }
  }

  /** A page may have fewer rows than there are, or none, and not be the last. */
  async #deliveries(cursor: string | undefined, signal: AbortSignal): Promise<Rows<DeliveryRecordAnswer>> {
    const query = { userId: this.userId, limit: PAGE_ROWS, cursor }
    const { data, nextCursor } = await this.context.api.deliveries(query, signal)
    return { rows: data, cursor: nextCursor ?? undefined }
  }

  #poll(): Promise<Polled> {
    const before = this.#life.value
    if (before === undefined || this.#isLoadingMore) return Promise.resolve(undefined)
    return this.#life.load(
      async (signal) => {
        const [events, deliveries] = await Promise.all([
          this.#events(undefined, signal),
          this.#deliveries(undefined, signal),
        ])
        return {
          events: withNewest(before.events, events, ({ eventId }) => eventId),
          deliveries: withNewest(before.deliveries, deliveries, ({ messageId }) => messageId),
        }
      },
      { quiet: true },
    )
  }

  async #loadMore(): Promise<void> {
    const before = this.#life.value
    if (before === undefined || this.#isLoadingMore) return
    const next = async <Row>(rows: Rows<Row>, read: (cursor: string) => Promise<Rows<Row>>): Promise<Rows<Row>> => {
      if (rows.cursor === undefined) return rows
      const page = await read(rows.cursor)
      return { rows: [...rows.rows, ...page.rows], cursor: page.cursor }
    }
    this.#isLoadingMore = true
    await this.#life.load(
      async (signal) => {
        const [events, deliveries] = await Promise.all([
          next(before.events, (cursor) => this.#events(cursor, signal)),
          next(before.deliveries, (cursor) => this.#deliveries(cursor, signal)),
        ])
        return { events, deliveries }
      },
      { quiet: true },
    )
    this.#isLoadingMore = false
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="life-title">
      <header class="card-head">
        <h2 id="life-title">What happened</h2>
        <a class="link" href=${this.context.link('inbox', '', { userId: this.userId })}>All deliveries</a>
      </header>
      ${this.#content()}
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#life
    if (value === undefined) return state === 'failed' ? failureView(error, () => this.#load()) : loadingView(6)
    const moments = momentsOf(value)
    const hasMore = value.events.cursor !== undefined || value.deliveries.cursor !== undefined
    if (moments.length === 0 && !hasMore)
      return html`<p class="none-found">No event names this user yet, and no message went to them.</p>`
    return html`<ol class="life">
        ${moments.map((moment) => this.#moment(moment))}
      </ol>
      ${faultView(error)}
      ${hasMore ? html`<wa-button size="s" appearance="outlined" @click=${() => void this.#loadMore()}>Load more</wa-button>` : nothing}`
  }

  #moment(moment: Moment): TemplateResult {
    return html`<li data-kind=${moment.kind}>
      ${icon(ICONS[moment.kind])}
      <div class="life-text">${moment.kind === 'event' ? this.#eventText(moment.event) : this.#messageText(moment)}</div>
      <span class="life-time">${age(moment.at)}</span>
    </li>`
  }

  #eventText(event: TrackedEventAnswer): TemplateResult {
    return html`<a class="row-link" href=${this.context.link('event', event.eventId)}>${event.name}</a>
      <span class="row-note">${whyOfEvent(event)}</span>`
  }

  #messageText({ kind, delivery }: Exclude<Moment, { kind: 'event' }>): TemplateResult {
    const { messageId, userId, title, campaignName, channel, status, statusReason } = delivery
    const link = html`<a class="row-link" href=${this.context.link('inbox', '', { userId, message: messageId })}>${title ?? campaignName}</a>`
    if (kind !== 'message') return html`${toWords(kind)} ${link}`
    return html`${link} ${badge(status)}
      <span class="row-note">${title === null ? nothing : html`${campaignName} · `}${channel}${statusReason === null ? nothing : html` · ${reasonName(statusReason)}`}</span>`
  }
}

const ICONS: Readonly<Record<Moment['kind'], string>> = {
  event: 'bolt',
  message: 'send',
  read: 'eye',
  opened: 'inbox',
  clicked: 'external',
}

customElements.define('nc-user-life', NcUserLife)
