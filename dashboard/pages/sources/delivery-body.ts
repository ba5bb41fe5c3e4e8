// <nc-delivery-body>: a dialog with the body of a delivery as it came, and the button that runs it again.

import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, nothing, type TemplateResult } from 'lit'
import type { KeptDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import { copyable, jsonView, time } from '../../elements/bits.ts'
import { failureView, faultView, loadingView } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { outcomeBadge } from './source-state.ts'

export class NcDeliveryBody extends LightElement {
  static override properties = {
    context: { attribute: false },
    sourceId: { attribute: false },
    deliveryId: { state: true },
  }

  declare context: AppContext
  declare sourceId: string
  /** Undefined: closed. */
  declare protected deliveryId: string | undefined

  readonly #delivery = new Loader<KeptDeliveryAnswer>(this)
  readonly #run = new Attempt(this)

  show(deliveryId: string): void {
    this.deliveryId = deliveryId
    this.#delivery.clear()
    this.#run.clear()
    void this.#delivery.load((signal) => this.context.sources.delivery(this.sourceId, deliveryId, signal))
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#delivery
    const hidden = (event: Event) => {
      if (event.target === event.currentTarget) this.deliveryId = undefined
    }
    return html`<wa-dialog label="Delivery" class="wide-dialog" ?open=${this.deliveryId !== undefined} @wa-after-hide=${hidden}>
      ${state === 'failed' ? failureView(error) : value === undefined ? loadingView(6) : this.#content(value)}
    </wa-dialog>`
  }

  #content({ at, deliveryId, type, outcome, eventId, reason, body, headers }: KeptDeliveryAnswer): TemplateResult {
    const { link } = this.context
    return html`<div class="cards">
      <p class="badges">${outcomeBadge(outcome)} ${type ? html`<code>${type}</code>` : nothing} ${time(at)}</p>
      ${deliveryId === null ? nothing : copyable(deliveryId, 'delivery ID')}
      ${reason === null ? nothing : html`<p>${reason}</p>`}
      ${headers === null ? nothing : headersView(headers)}
      ${body === null ? html`<p class="hint">Bodies are kept for 7 days: this one is kept no more.</p>` : bodyView(body)}
      ${faultView(this.#run.error)}
      <div class="dialog-buttons">
        ${eventId === null ? nothing : html`<a class="link" href=${link('event', eventId)}>Event</a>`}
        <wa-button size="s" appearance="outlined" data-dialog="close">Close</wa-button>
        ${
          body === null || deliveryId === null
            ? nothing
            : html`<wa-button size="s" variant="brand" ?loading=${this.#run.isBusy} @click=${() => this.#runAgain(deliveryId)}>Run again</wa-button>`
        }
      </div>
    </div>`
  }

  #runAgain(deliveryId: string): void {
    const { sources, notify } = this.context
    void this.#run.run(async () => {
      const { accepted, reason } = await sources.runOne(this.sourceId, deliveryId)
      const done = accepted === 0 ? 'It gave no new event.' : 'It is tracked.'
      notify(reason === null ? done : `${done} ${reason}`)
      this.deliveryId = undefined
      this.dispatchEvent(new Event('source-changed', { bubbles: true }))
    })
  }
}

/** As the trial of a signature takes them. */
function headersView(headers: Record<string, string>): TemplateResult {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<details><summary>Headers, without credentials</summary>
    <pre class="json pre" tabindex="0" role="region" aria-label="Headers of the delivery"><code>${lines.join('\n')}</code></pre>
  </details>`
}

/** JSON in lines, unless that would change its digits; any other body as it came. */
function bodyView(body: string): TemplateResult {
  const label = 'Body of the delivery'
  const asItCame = html`<pre class="json pre" tabindex="0" role="region" aria-label=${label}><code>${body}</code></pre>`
  if (/\d{16}/.test(body)) return asItCame
  try {
    return jsonView(JSON.parse(body), label)
  } catch {
    return asItCame
  }
}

customElements.define('nc-delivery-body', NcDeliveryBody)
