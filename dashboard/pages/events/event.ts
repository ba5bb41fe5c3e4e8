// <nc-event>: one tracked event, the campaigns that considered it, its runs and messages.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { RunSummaryAnswer } from '../../../contract/resources/run.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { badge, tag } from '../../elements/badge.ts'
import { age, copyable, facts, jsonView, named, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm, Question } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { reasonName } from '../../lib/reasons.ts'
import { AppPage } from '../../shell/page-element.ts'
import { eventAgainQuestion, runAgainQuestion } from '../again/again-questions.ts'
import './trigger-condition.ts'
import { MOST_LISTED, whyOfEvent } from './why-event.ts'

class NcEvent extends AppPage {
  readonly #event = new Loader<TrackedEventAnswer>(this)
  readonly #confirm = createRef<NcConfirm>()
  /** What came of it, with titles. */
  readonly #messages = new Loader<DeliveryRecordAnswer[]>(this)

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
    const query = { eventId: this.routeId, limit: MOST_LISTED }
    void this.#messages.load(async (signal) => (await api.deliveries(query, signal)).data)
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
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #ask(question: Question): void {
    this.#confirm.value?.ask(question)
  }

  #actions(event: TrackedEventAnswer): TemplateResult | typeof nothing {
    if (!this.context.may('editor') || event.source === 'test') return nothing
    const ask = () => this.#ask(eventAgainQuestion(this.context, event))
    return html`<wa-button size="s" appearance="outlined" @click=${ask}>${icon('refresh', 'start')}Run again…</wa-button>`
  }

  #content(event: TrackedEventAnswer): TemplateResult {
    const { link } = this.context
    return html`${pageHead(event.name, html`${badge(event.outcome)} ${age(event.receivedAt)}`, this.#actions(event))}
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
              ['User', event.userId === null ? null : named(event.userName, event.userId, link('user', event.userId))],
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

  #considered({ considered, receivedAt }: TrackedEventAnswer): TemplateResult {
    return html`<section class="card" aria-labelledby="event-campaigns">
      <header class="card-head"><h2 id="event-campaigns">Campaigns with this event</h2></header>
      ${
        considered.length === 0
          ? html`<p class="none-found">No campaign begins with an event of this name.</p>`
          : html`<ul class="lines">
              ${considered.map(
                ({ campaignId, campaignKey, campaignName, outcome, reason, inputs }) =>
                  html`<li>
                    <a class="link" href=${this.context.link('campaign', campaignId)}>${campaignName ?? campaignKey}</a>
                    ${badge(outcome)} ${reason === null ? nothing : tag(reason)}
                    ${outcome.startsWith('condition-') ? html`<nc-trigger-condition .context=${this.context} .campaignId=${campaignId} .receivedAt=${receivedAt}></nc-trigger-condition>` : nothing}
                    ${inputs === undefined || Object.keys(inputs).length === 0 ? nothing : jsonView(inputs, `Values that decided about ${campaignName ?? campaignKey}`)}
                  </li>`,
              )}
            </ul>`
      }
    </section>`
  }

  #run(run: RunSummaryAnswer): TemplateResult {
    const { runId, campaignName, userId, userName, version, state, stateReason } = run
    const runAgain = () => this.#ask(runAgainQuestion(this.context, run))
    return html`<li>
      <span>Run of ${campaignName} v${version} for ${userName ?? userId}</span> ${badge(state)} ${stateReason === null ? nothing : tag(reasonName(stateReason))}
      ${state === 'failed' && this.context.may('editor') ? html`<button type="button" class="link" aria-label=${`Run ${runId} again`} @click=${runAgain}>Run again…</button>` : nothing}
      <span class="line-end">${copyable(runId, 'run ID')}</span>
    </li>`
  }

  /** Of a message whose record is not read, the id. */
  #message(id: string): TemplateResult {
    const record = this.#messages.value?.find(({ messageId }) => messageId === id)
    const href = this.context.link('inbox', '', { messageId: id, message: id })
    if (record === undefined) return html`<li><a class="link" href=${href}><code>${id}</code></a></li>`
    const { title, campaignName, userName, userId, channel, status } = record
    return html`<li><a class="link" href=${href}>${title ?? campaignName}</a> ${channel} to ${userName ?? userId} ${badge(status)}</li>`
  }

  #runs({ runs, messageIds }: TrackedEventAnswer): TemplateResult | typeof nothing {
    if (runs.length === 0 && messageIds.length === 0) return nothing
    return html`<section class="card" aria-labelledby="event-runs">
      <header class="card-head"><h2 id="event-runs">Runs and messages</h2></header>
      <ul class="lines">
        ${runs.map((run) => this.#run(run))}
        ${messageIds.map((id) => this.#message(id))}
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
