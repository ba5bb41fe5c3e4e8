// <nc-events>: the accepted events, newest first, also those that started nothing.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { createRef, ref } from 'lit/directives/ref.js'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { badge } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import type { NcAgainAll } from '../again/again-all.ts'
import '../again/again-all.ts'

const PAGE_EVENTS = 50

class NcEvents extends AppPage {
  readonly #list = new ListLoader<TrackedEventAnswer>(this, (cursor, signal) =>
    this.context.api.events({ ...this.#filter, limit: PAGE_EVENTS, cursor }, signal),
  )
  readonly #again = createRef<NcAgainAll>()

  get #filter() {
    const { query } = this.context
    return { name: query.get('name') ?? undefined, userId: query.get('userId') ?? undefined }
  }

  protected override willUpdate(): void {
    this.#list.reloadFor(JSON.stringify(this.#filter))
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Events', 'Everything that was tracked, and what it started.', this.#actions())}
      <nc-again-all ${ref(this.#again)} .context=${this.context}></nc-again-all>
      <search class="filters">
        <div class="filter-line">${this.#field('name', 'Name')} ${this.#field('userId', 'User ID')}</div>
      </search>
      ${this.#content()}
    </div>`
  }

  /** Only those of a name: all events of an environment are hardly meant. */
  #actions(): TemplateResult | typeof nothing {
    if (!this.context.may('editor') || this.#filter.name === undefined) return nothing
    const run = () => this.#again.value?.askEvents(this.#filter)
    return html`<wa-button size="s" appearance="outlined" @click=${run}>${icon('refresh', 'start')}Run again…</wa-button>`
  }

  #field(name: 'name' | 'userId', label: string): TemplateResult {
    const set = ({ target }: Event) =>
      this.context.router.setQuery({ [name]: (target as HTMLInputElement).value.trim() || undefined })
    return html`<label class="filter">
      <span class="sr">${label}</span>
      <input class="input" placeholder=${label} spellcheck="false" .value=${live(this.#filter[name] ?? '')} @change=${set} />
    </label>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(10)
    if (value.rows.length === 0) return this.#empty()
    return html`<div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col" class="wide-only">For</th>
              <th scope="col">Outcome</th>
              <th scope="col" class="number wide-only">Runs</th>
              <th scope="col" class="number wide-only">Messages</th>
              <th scope="col" class="wide-only">Received</th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map((event) => this.#row(event))}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#list, 'event')}`
  }

  #row(event: TrackedEventAnswer): TemplateResult {
    const { eventId, name, outcome, runs, messageIds, receivedAt } = event
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${this.context.link('event', eventId)}>${name}</a>
        <span class="row-note narrow-only">${recipientsOf(event)}, ${age(receivedAt)}</span>
      </th>
      <td class="cell-text wide-only">${recipientsOf(event)}</td>
      <td>${badge(outcome)}</td>
      <td class="number wide-only">${atMost(runs.length)}</td>
      <td class="number wide-only">${atMost(messageIds.length)}</td>
      <td class="wide-only">${age(receivedAt)}</td>
    </tr>`
  }

  #empty(): TemplateResult {
    const isFiltered = Object.values(this.#filter).some((value) => value !== undefined)
    return emptyView({
      icon: 'bolt',
      title: isFiltered ? 'No event matches' : 'No events yet',
      text: isFiltered
        ? 'The name and the user ID are compared exactly. Remove one of them.'
        : 'Your backend sends events with POST /v1/events/track and an sdkSecretKey.',
    })
  }
}

/** The first 20 are listed. */
const atMost = (count: number): string => (count >= 20 ? '20+' : String(count))

/** @returns For whom an event was tracked, in a few words. */
export function recipientsOf({
  userId,
  userName,
  userIds,
  topic,
}: Pick<TrackedEventAnswer, 'userId' | 'userName' | 'userIds' | 'topic'>): string {
  if (userId !== null) return userName ?? userId
  if (userIds !== null) return `${userIds.length} users`
  return topic === null ? '–' : `topic ${topic}`
}

customElements.define('nc-events', NcEvents)
