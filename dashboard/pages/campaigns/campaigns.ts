// <nc-campaigns>: the campaigns of the environment with their states.

import { html, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../contract/management-schemas.ts'
import { badge } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { eventOf, stepTypesOf } from './definition.ts'
import { sparkline } from './sparkline.ts'

const STATES = ['all', 'active', 'paused', 'draft', 'archived'] as const

class NcCampaigns extends AppPage {
  readonly #list = new ListLoader<CampaignAnswer>(this, (cursor, signal) =>
    this.context.api.campaigns({ cursor }, signal),
  )
  /** Deliveries by day, of all campaigns at once. Without them, the list is shown all the same. */
  readonly #days = new Loader<Map<string, number[]>>(this)

  protected override firstUpdated(): void {
    this.#list.reload()
    void this.#days.load(async (signal) => {
      const { campaigns } = await this.context.api.campaignDays('inbox', signal)
      return new Map(campaigns.map(({ campaignId, deliveries }) => [campaignId, deliveries]))
    })
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Campaigns', 'What becomes of your events. Campaigns are made with the API or the command line.')}
      ${this.#content()}
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined) return loadingView()
    if (value.rows.length === 0)
      return emptyView({
        icon: 'campaign',
        title: 'No campaigns yet',
        text: 'Create the first one with POST /v1/campaigns or `nc campaign create`, then publish it here.',
        action: html`<a class="link" href="/docs" target="_blank">Open the API reference</a>`,
      })
    const wanted = this.context.query.get('state') ?? 'all'
    const shown = value.rows.filter(({ status }) => wanted === 'all' || status === wanted)
    return html`${this.#stateTabs(value.rows, wanted)}
      ${shown.length === 0 ? html`<p class="none-found">No campaign is ${wanted}.</p>` : this.#table(shown)}
      ${listFoot(this.#list, 'campaign')}`
  }

  #stateTabs(campaigns: readonly CampaignAnswer[], wanted: string): TemplateResult {
    const countOf = (state: string) => campaigns.filter(({ status }) => state === 'all' || status === state).length
    return html`<nav class="pills" aria-label="Campaigns by state">
      ${STATES.map(
        (state) =>
          html`<a class="pill" href=${this.context.link('campaigns', '', state === 'all' ? {} : { state })} aria-current=${state === wanted}>
            ${state === 'all' ? 'All' : badge(state)} <span class="pill-count">${countOf(state)}</span>
          </a>`,
      )}
    </nav>`
  }

  #table(campaigns: readonly CampaignAnswer[]): TemplateResult {
    return html`<div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Campaign</th>
            <th scope="col">State</th>
            <th scope="col" class="wide-only">Event</th>
            <th scope="col" class="wide-only">Steps</th>
            <th scope="col" class="wide-only">Inbox, last 30 days</th>
            <th scope="col" class="number">Version</th>
            <th scope="col" class="wide-only">Changed</th>
          </tr>
        </thead>
        <tbody>
          ${campaigns.map((campaign) => this.#row(campaign))}
        </tbody>
      </table>
    </div>`
  }

  #row({ id, key, name, status, draft, currentVersion, updatedAt }: CampaignAnswer): TemplateResult {
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${this.context.link('campaign', id)}>${name}</a>
        <span class="row-note">${key}</span>
      </th>
      <td>${badge(status)}</td>
      <td class="wide-only"><code>${eventOf(draft)}</code></td>
      <td class="wide-only">${stepTypesOf(draft).join(' → ')}</td>
      <td class="wide-only">${this.#days.value === undefined ? '' : sparkline(this.#days.value.get(id))}</td>
      <td class="number">${currentVersion ?? '–'}</td>
      <td class="wide-only">${age(updatedAt)}</td>
    </tr>`
  }
}

customElements.define('nc-campaigns', NcCampaigns)
