// <nc-not-sent>: why messages of a campaign, or of all, were skipped or failed, in a window and on a channel.

import { html, type TemplateResult } from 'lit'
import type { Channel, Window } from '../../../contract/delivery.ts'
import type { EnvironmentStatsAnswer } from '../../../contract/resources/stats.ts'
import { badge } from '../../elements/badge.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { reasonName } from '../../lib/reasons.ts'
import type { AppContext } from '../../shell/context.ts'

/** Seldom: the server counts messages for this, and reads no counters. */
const POLL_MS = 30_000

class NcNotSent extends LightElement {
  static override properties = { context: { attribute: false }, asked: { attribute: false } }

  declare context: AppContext
  /** Of all campaigns without an id. */
  declare asked: { window: Window; channel: Channel; campaignId?: string }

  readonly #stats = new Loader<EnvironmentStatsAnswer>(this)
  #shown = ''

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override willUpdate(): void {
    const asked = JSON.stringify(this.asked)
    if (asked === this.#shown) return
    this.#shown = asked
    void this.#load(false)
  }

  #load(quiet: boolean): Promise<Polled> {
    const { asked } = this
    return this.#stats.load((signal) => this.context.api.stats(asked, signal), { quiet })
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="not-sent-title">
      <header class="card-head"><h2 id="not-sent-title">Not sent</h2></header>
      ${this.#content()}
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#stats
    if (state === 'failed') return failureView(error, () => void this.#load(false))
    if (value === undefined) return loadingView(2)
    const rows = (['skipped', 'failed'] as const).flatMap((status) =>
      Object.entries(value.outcomes[status])
        .sort(([, one], [, other]) => other - one)
        .map(([reason, count]) => ({ status, reason, count })),
    )
    if (rows.length === 0)
      return html`<p class="none-found">No message was skipped, and none failed, in this window.</p>`
    return html`<table class="table">
      <thead>
        <tr><th scope="col">Reason</th><th scope="col">Status</th><th scope="col" class="number">Messages</th></tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ status, reason, count }) =>
            html`<tr>
              <th scope="row"><a class="row-link" href=${this.#history(status, reason)}>${reasonName(reason)}</a><span class="row-note">${reason}</span></th>
              <td>${badge(status)}</td>
              <td class="number">${formatCount(count)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
  }

  /** A message without a reason of its own is counted as "unknown". */
  #history(status: string, reason: string): string {
    return this.context.link('inbox', '', {
      ...this.asked,
      ...(reason !== 'unknown' && { statusReason: reason }),
      status,
    })
  }
}

customElements.define('nc-not-sent', NcNotSent)
