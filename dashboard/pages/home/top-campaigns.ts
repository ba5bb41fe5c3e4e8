// <nc-top-campaigns>: the campaigns with the most deliveries of the last 30 days.

import { html, type TemplateResult } from 'lit'
import type { Channel } from '../../../contract/delivery.ts'
import type { CampaignDaysPage } from '../../../contract/resources/stats.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { sparkline } from '../campaigns/sparkline.ts'

const SHOWN = 5

type CampaignDays = CampaignDaysPage['data']

class NcTopCampaigns extends LightElement {
  static override properties = { context: { attribute: false }, channel: { attribute: false } }

  declare context: AppContext
  declare channel: Channel

  readonly #top = new Loader<{ shown: CampaignDays; others: number }>(this)
  #asked: Channel | undefined

  protected override willUpdate(): void {
    if (this.channel === this.#asked) return
    this.#asked = this.channel
    this.#load()
  }

  #load(): void {
    const { api } = this.context
    void this.#top.load(async (signal) => {
      const { data } = await api.campaignDays(this.channel, signal)
      const sorted = data.toSorted((one, other) => sumOf(other.deliveries) - sumOf(one.deliveries))
      const shown = sorted.slice(0, SHOWN)
      return { shown, others: sorted.length - shown.length }
    })
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="top-title">
      <header class="card-head"><h2 id="top-title">Campaigns by deliveries, last 30 days</h2></header>
      ${this.#content()}
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#top
    const { link } = this.context
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined) return loadingView(3)
    if (value.shown.length === 0)
      return html`<p class="none-found">No campaign has delivered a message in this time.</p>`
    return html`<table class="table">
        <tbody>
          ${value.shown.map(
            ({ campaignId, campaignName, deliveries }) => html`<tr>
              <th scope="row"><a class="row-link" href=${link('campaign', campaignId)}>${campaignName ?? campaignId}</a></th>
              <td class="number">${sparkline(deliveries)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="list-foot">
        ${value.others > 0 ? `${formatCount(value.others)} more. ` : ''}<a class="link" href=${link('campaigns')}>All campaigns</a>
      </p>`
  }
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

customElements.define('nc-top-campaigns', NcTopCampaigns)
