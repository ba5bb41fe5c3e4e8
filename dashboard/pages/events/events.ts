// <nc-events>: the accepted events, newest first, also those that started nothing.

import { html, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { TrackedEventAnswer } from '../../../contract/management-schemas.ts'
import { badge } from '../../elements/badge.ts'
import { pageHead, time } from '../../elements/bits.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'

const PAGE_EVENTS = 50

interface LoadedEvents {
  events: TrackedEventAnswer[]
  cursor: string | undefined
}

class NcEvents extends AppPage {
  readonly #list = new Loader<LoadedEvents>(this)
  #shown: string | undefined

  get #filter() {
    const { query } = this.context
    return { name: query.get('name') ?? undefined, userId: query.get('userId') ?? undefined }
  }

  protected override willUpdate(): void {
    const asked = JSON.stringify(this.#filter)
    if (asked === this.#shown) return
    this.#shown = asked
    this.#load()
  }

  #load(before: TrackedEventAnswer[] = [], cursor?: string): void {
    void this.#list.load(
      async (signal) => {
        const page = await this.context.api.events({ ...this.#filter, limit: PAGE_EVENTS, cursor }, signal)
        return { events: [...before, ...page.data], cursor: page.nextCursor ?? undefined }
      },
      { quiet: before.length > 0 },
    )
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Events', 'Everything that was tracked, and what it started.')}
      <search class="filters">
        <div class="filter-line">${this.#field('name', 'Name')} ${this.#field('userId', 'User ID')}</div>
      </search>
      ${this.#content()}
    </div>`
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
    const { value } = this.#list
    if (this.#list.state === 'failed') return failureView(this.#list.error, () => this.#load())
    if (value === undefined || this.#list.state === 'loading') return loadingView(10)
    if (value.events.length === 0) return this.#empty()
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
            ${value.events.map((event) => this.#row(event))}
          </tbody>
        </table>
      </div>
      ${
        value.cursor === undefined
          ? html`<p class="list-foot">${value.events.length} events.</p>`
          : html`<wa-button size="s" appearance="outlined" @click=${() => this.#load(value.events, value.cursor)}>Load more</wa-button>`
      }`
  }

  #row(event: TrackedEventAnswer): TemplateResult {
    const { eventId, name, outcome, runs, messageIds, receivedAt } = event
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${this.context.link('event', eventId)}>${name}</a>
        <span class="row-note narrow-only">${recipientsOf(event)}, ${time(receivedAt)}</span>
      </th>
      <td class="cell-text wide-only">${recipientsOf(event)}</td>
      <td>${badge(outcome)}</td>
      <td class="number wide-only">${atMost(runs.length)}</td>
      <td class="number wide-only">${atMost(messageIds.length)}</td>
      <td class="wide-only">${time(receivedAt)}</td>
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
  userIds,
  topic,
}: Pick<TrackedEventAnswer, 'userId' | 'userIds' | 'topic'>): string {
  if (userId !== null) return userId
  if (userIds !== null) return `${userIds.length} users`
  return topic === null ? '–' : `topic ${topic}`
}

customElements.define('nc-events', NcEvents)
