// <nc-event>: one tracked event, the campaigns that considered it, its runs and messages.

import { html, nothing, type TemplateResult } from 'lit'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { badge, tag } from '../../elements/badge.ts'
import { copyable, facts, jsonView, pageHead, time } from '../../elements/bits.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { MOST_LISTED, whyOfEvent } from './why-event.ts'

class NcEvent extends AppPage {
  readonly #event = new Loader<TrackedEventAnswer>(this)

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    const { api, setTitle } = this.context
    void this.#event.load(async (signal) => {
      const event = await api.event(this.routeId, signal)
      setTitle(event.name)
      return event
    })
  }

  override render(): TemplateResult {
    const { value } = this.#event
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('events')}>Events</a></nav>
      ${
        value === undefined
          ? html`${pageHead('Event')} ${this.#event.state === 'failed' ? failureView(this.#event.error, () => this.#load()) : loadingView()}`
          : this.#content(value)
      }
    </div>`
  }

  #content(event: TrackedEventAnswer): TemplateResult {
    const { link } = this.context
    return html`${pageHead(event.name, html`${badge(event.outcome)} ${time(event.receivedAt)}`)}
      <p class="why">${whyOfEvent(event)}</p>
      <div class="columns">
        <div class="column-main">
          ${this.#considered(event)} ${this.#runs(event)}
          <section class="card" aria-labelledby="event-properties">
            <header class="card-head"><h2 id="event-properties">Properties</h2></header>
            ${jsonView(event.properties, 'Properties of the event as JSON')}
          </section>
          ${rawView(event)}
        </div>
        <aside class="column-side" aria-label="About this event">
          <section class="card">
            ${facts([
              ['ID', copyable(event.eventId, 'event ID')],
              [
                'User',
                event.userId === null
                  ? null
                  : html`<a class="link" href=${link('user', event.userId)}>${event.userId}</a>`,
              ],
              ['Users', event.userIds?.length],
              ['Topic', event.topic],
              ['Source', event.source],
              ['Occurred', time(event.occurredAt)],
              ['Received', time(event.receivedAt)],
              ['Correlation ID', copyable(event.correlationId, 'correlation ID')],
            ])}
            <a class="link" href=${link('inbox', '', { eventId: event.eventId })}>See its deliveries</a>
          </section>
        </aside>
      </div>`
  }

  #considered({ considered }: TrackedEventAnswer): TemplateResult {
    return html`<section class="card" aria-labelledby="event-campaigns">
      <header class="card-head"><h2 id="event-campaigns">Campaigns with this event</h2></header>
      ${
        considered.length === 0
          ? html`<p class="none-found">No campaign begins with an event of this name.</p>`
          : html`<ul class="lines">
              ${considered.map(
                ({ campaignId, campaignKey, outcome, reason, inputs }) =>
                  html`<li>
                    <a class="link" href=${this.context.link('campaign', campaignId)}>${campaignKey}</a>
                    ${badge(outcome)} ${reason === null ? nothing : tag(reason)}
                    ${inputs === undefined || Object.keys(inputs).length === 0 ? nothing : jsonView(inputs, `Values that decided about ${campaignKey}`)}
                  </li>`,
              )}
            </ul>`
      }
    </section>`
  }

  #runs({ runs, messageIds }: TrackedEventAnswer): TemplateResult | typeof nothing {
    if (runs.length === 0 && messageIds.length === 0) return nothing
    return html`<section class="card" aria-labelledby="event-runs">
      <header class="card-head"><h2 id="event-runs">Runs and messages</h2></header>
      <ul class="lines">
        ${runs.map(
          ({ runId, campaignKey, userId, version, state, stateReason }) =>
            html`<li><code>${runId}</code> ${campaignKey} v${version} for ${userId} ${badge(state)} ${stateReason === null ? nothing : tag(stateReason)}</li>`,
        )}
        ${messageIds.map(
          (id) =>
            html`<li><a class="link" href=${this.context.link('inbox', '', { messageId: id, message: id })}><code>${id}</code></a></li>`,
        )}
      </ul>
      ${Math.max(runs.length, messageIds.length) < MOST_LISTED ? nothing : html`<p class="list-foot">The first ${MOST_LISTED} are listed.</p>`}
    </section>`
  }
}

/** What was sent besides, folded. */
function rawView({ raw }: TrackedEventAnswer): TemplateResult | typeof nothing {
  if (Object.keys(raw).length === 0) return nothing
  return html`<section class="card">
    <details class="folded">
      <summary>Also sent: ${Object.keys(raw).join(', ')}</summary>
      ${jsonView(raw, 'Other fields of the event as JSON')}
    </details>
  </section>`
}

customElements.define('nc-event', NcEvent)
