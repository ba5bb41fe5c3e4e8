// Renders the last deliveries to a source: what became of each item, and why.

import { html, nothing, type TemplateResult } from 'lit'
import type { SourceDeliveryAnswer } from '../../api/sources.ts'
import { time } from '../../elements/bits.ts'
import { outcomeBadge } from './source-state.ts'

export const FIRST_DELIVERIES = 20

/** @param showAll Absent once all are shown. */
export function deliveriesCard(
  deliveries: readonly SourceDeliveryAnswer[],
  linkToEvent: (eventId: string) => string,
  showAll?: () => void,
): TemplateResult {
  const shown = showAll === undefined ? deliveries : deliveries.slice(0, FIRST_DELIVERIES)
  return html`<section class="card" aria-labelledby="deliveries-title">
    <header class="card-head"><h2 id="deliveries-title">Last deliveries</h2></header>
    ${
      deliveries.length === 0
        ? html`<p class="none-found">Nothing has arrived in the last 30 days.</p>`
        : html`<table class="table">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Outcome</th>
                <th scope="col">Type</th>
                <th scope="col" class="wide-only"><span class="sr">Event</span></th>
              </tr>
            </thead>
            <tbody>
              ${shown.map((delivery) => row(delivery, linkToEvent))}
            </tbody>
          </table>`
    }
    ${
      showAll === undefined || deliveries.length <= FIRST_DELIVERIES
        ? nothing
        : html`<div class="card-foot"><wa-button size="s" appearance="outlined" @click=${showAll}>Show all ${deliveries.length}</wa-button></div>`
    }
  </section>`
}

function row(
  { at, deliveryId, type, outcome, eventId, reason }: SourceDeliveryAnswer,
  linkToEvent: (eventId: string) => string,
): TemplateResult {
  const link = (className: string) =>
    eventId === null ? nothing : html`<a class=${className} href=${linkToEvent(eventId)}>See the event</a>`
  return html`<tr>
    <td>${time(at)}</td>
    <td>${outcomeBadge(outcome)}</td>
    <td class="delivery-cell">
      ${type === null || type === '' ? html`<span class="none">–</span>` : html`<code>${type}</code>`}
      ${reason === null ? nothing : html`<span class="row-note">${reason}</span>`}
      ${deliveryId === null ? nothing : html`<span class="row-note wide-only" title="Delivery ID">${deliveryId}</span>`}
      ${link('link narrow-only')}
    </td>
    <td class="row-actions wide-only">${link('link')}</td>
  </tr>`
}
