// <nc-not-sent>: why messages of a campaign were skipped or failed, in the window and on the channel of the funnel.

import { html, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { EnvironmentStatsAnswer } from '../../../contract/resources/stats.ts'
import { badge } from '../../elements/badge.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatCount, toWords } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { channelOf, windowOf } from './funnel-query.ts'

/** Seldom: the server counts messages for this, and reads no counters. */
const POLL_MS = 30_000

class NcNotSent extends LightElement {
  static override properties = { context: { attribute: false }, campaign: { attribute: false } }

  declare context: AppContext
  declare campaign: CampaignAnswer

  readonly #stats = new Loader<EnvironmentStatsAnswer>(this)
  #asked = ''

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override willUpdate(): void {
    const asked = `${windowOf(this.context.query)} ${channelOf(this.context.query, this.campaign)}`
    if (asked === this.#asked) return
    this.#asked = asked
    void this.#load(false)
  }

  #load(quiet: boolean): Promise<Polled> {
    const { query, api } = this.context
    const wanted = { window: windowOf(query), channel: channelOf(query, this.campaign), campaignId: this.campaign.id }
    return this.#stats.load((signal) => api.stats(wanted, signal), { quiet })
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
              <th scope="row">${reasonName(reason)}<span class="row-note">${reason}</span></th>
              <td><a class="row-link" href=${this.#history(status)}>${badge(status)}</a></td>
              <td class="number">${formatCount(count)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
  }

  #history(status: string): string {
    const { link, query } = this.context
    const filters = {
      campaignId: this.campaign.id,
      channel: channelOf(query, this.campaign),
      window: windowOf(query),
      status,
    }
    return link('inbox', '', filters)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  preference: 'Switched off by the user',
  suppressed: 'The user or the address is suppressed',
  'quiet-hours': 'Quiet hours of the user',
  condition: 'The condition of the step was not met',
  'no-address': 'The user has no address',
  sandbox: 'The e-mail sandbox of the environment lets no mail out to that address',
  'no-provider': 'The environment is in production and has no mail server',
  digested: 'Gathered into a digest',
  throttled: 'More than the throttle allows',
  'render-error': 'The template failed',
  'provider-error': 'The provider did not take it',
}

const reasonName = (reason: string): string => REASONS[reason] ?? toWords(reason)

customElements.define('nc-not-sent', NcNotSent)
