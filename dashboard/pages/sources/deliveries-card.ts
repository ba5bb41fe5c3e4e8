// Renders the last deliveries to a source: what became of each item, and why.

import { html, nothing, type TemplateResult } from 'lit'
import type { SourceDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import { age } from '../../elements/bits.ts'
import { outcomeBadge } from './source-state.ts'

const FIRST_DELIVERIES = 10

export interface DeliveryActions {
  linkToEvent(eventId: string): string
  /** Absent for those who may not. */
  view?: (deliveryId: string) => void
  runAgain?: () => void
  /** How far the last run is. */
  run: unknown
}

/** @param showAll Absent once all are shown. */
export function deliveriesCard(
  deliveries: readonly SourceDeliveryAnswer[],
  actions: DeliveryActions,
  showAll?: () => void,
): TemplateResult {
  const shown = showAll === undefined ? deliveries : deliveries.slice(0, FIRST_DELIVERIES)
  return html`<section class="card" aria-labelledby="deliveries-title">
    <header class="card-head"><h2 id="deliveries-title">Last deliveries</h2>
      ${
        actions.runAgain === undefined || deliveries.length === 0
          ? nothing
          : html`<wa-button size="s" appearance="outlined" @click=${actions.runAgain}>Run again…</wa-button>`
      }
    </header>
    ${actions.run}
    ${
      deliveries.length === 0
        ? html`<p class="none-found">Nothing has arrived in the last 30 days.</p>`
        : html`<table class="table">
            <thead>
              <tr>
                <th scope="col" class="wide-only">Time</th>
                <th scope="col" class="wide-only">Outcome</th>
                <th scope="col">Type</th>
                <th scope="col" class="wide-only">Delivery ID</th>
                <th scope="col" class="wide-only"><span class="sr">Event</span></th>
              </tr>
            </thead>
            <tbody>
              ${shown.map((delivery) => row(delivery, actions))}
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
  { linkToEvent, view }: DeliveryActions,
): TemplateResult {
  const link = eventId === null ? nothing : html`<a class="link" href=${linkToEvent(eventId)}>Event</a>`
  const open =
    view === undefined || deliveryId === null
      ? nothing
      : html`<button type="button" class="link" @click=${() => view(deliveryId)}>Body</button>`
  return html`<tr>
    <td class="wide-only time-cell">${age(at)}</td>
    <td class="wide-only">${outcomeBadge(outcome)}</td>
    <td class="delivery-cell">
      <span class="narrow-only">${outcomeBadge(outcome)}</span>
      ${type === null || type === '' ? html`<span class="none">–</span>` : html`<code>${type}</code>`}
      ${reason === null ? nothing : html`<span class="row-note">${reason}</span>`}
      <span class="row-note narrow-only">${age(at)}</span>
      <span class="narrow-only"><span class="badges">${open} ${link}</span></span>
    </td>
    <td class="wide-only id-cell">${deliveryId === null ? nothing : html`<code title=${deliveryId}>${deliveryId}</code>`}</td>
    <td class="row-actions wide-only"><span class="badges">${open} ${link}</span></td>
  </tr>`
}
