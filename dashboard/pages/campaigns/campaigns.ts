// <nc-campaigns>: the campaigns of the environment, found by state and by a part of name or key.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignAnswer, CampaignCountsAnswer } from '../../../contract/resources/campaign.ts'
import { badge } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { addressSearch } from '../../elements/search-form.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { eventOf, stepTypesOf } from './definition.ts'
import { sparkline } from './sparkline.ts'

const PAGE_CAMPAIGNS = 50
const STATES = ['active', 'paused', 'draft', 'archived'] as const
/** In the address: those whose publishing waits for approval, in any state. */
const WAITING = 'waits-for-approval'
type State = (typeof STATES)[number]

class NcCampaigns extends AppPage {
  readonly #list = new ListLoader<CampaignAnswer>(this, (cursor, signal) => {
    const { state, isWaiting, q } = this.#wanted
    const pendingPublish = isWaiting ? 'waiting' : undefined
    return this.context.api.campaigns({ status: state, pendingPublish, q, limit: PAGE_CAMPAIGNS, cursor }, signal)
  })
  readonly #counts = new Loader<CampaignCountsAnswer>(this)
  /** Deliveries by day, of all campaigns at once. Without them, the list is shown all the same. */
  readonly #days = new Loader<Map<string, number[]>>(this)

  /** In the address, so that a link shows the same. */
  get #wanted(): { state: State | undefined; isWaiting: boolean; q: string | undefined } {
    const { query } = this.context
    const state = query.get('state')
    return { state: STATES.find((one) => one === state), isWaiting: state === WAITING, q: query.get('q') || undefined }
  }

  protected override willUpdate(): void {
    if (!this.#list.reloadFor(JSON.stringify(this.#wanted))) return
    void this.#counts.load((signal) => this.context.api.campaignCounts({ q: this.#wanted.q }, signal), { quiet: true })
  }

  protected override firstUpdated(): void {
    void this.#days.load(async (signal) => {
      const { data } = await this.context.api.campaignDays('inbox', signal)
      return new Map(data.map(({ campaignId, deliveries }) => [campaignId, deliveries]))
    })
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Campaigns', 'What becomes of your events.', this.#newButton())}
      ${addressSearch(this.context, {
        label: 'Part of the name or the key',
        placeholder: 'Name or key',
      })}
      ${this.#counts.value === undefined ? nothing : this.#stateTabs(this.#counts.value)} ${this.#content()}
    </div>`
  }

  #newButton(): TemplateResult | typeof nothing {
    if (!this.context.may('editor')) return nothing
    return html`<wa-button size="s" variant="brand" href=${this.context.link('new-campaign')}>${icon('plus', 'start')}New campaign</wa-button>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView()
    if (value.rows.length === 0) return this.#empty()
    return html`${this.#table(value.rows)} ${listFoot(this.#list, 'campaign')}`
  }

  #empty(): TemplateResult {
    const { state, isWaiting, q } = this.#wanted
    if (q !== undefined) {
      return emptyView({
        icon: 'search',
        title: 'No campaign matches',
        text: 'A part of the name or the key is compared. Choose another state, or search for less.',
      })
    }
    if (isWaiting) return html`<p class="none-found">No campaign waits for approval.</p>`
    if (state !== undefined) return html`<p class="none-found">No campaign is ${state}.</p>`
    return emptyView({
      icon: 'campaign',
      title: 'No campaigns yet',
      text: 'A campaign says what becomes of an event. The gallery has ten that work as they are.',
      ...(this.context.may('editor') && {
        action: html`<wa-button size="s" variant="brand" href=${this.context.link('new-campaign')}>Choose from the gallery</wa-button>`,
      }),
    })
  }

  #stateTabs(counts: CampaignCountsAnswer): TemplateResult {
    const { state, isWaiting, q } = this.#wanted
    const wanted = isWaiting ? WAITING : state
    const href = (state?: State | typeof WAITING) =>
      this.context.link('campaigns', '', { ...(state !== undefined && { state }), ...(q !== undefined && { q }) })
    const tab = (state: State | typeof WAITING | undefined, count: number) =>
      html`<a class="pill" href=${href(state)} aria-current=${state === wanted}>
        ${state === undefined ? 'All' : state === WAITING ? badge('waits for approval', 'warn') : badge(state)} <span class="pill-count">${formatCount(count)}</span>
      </a>`
    return html`<nav class="pills" aria-label="Campaigns by state">
      ${tab(undefined, counts.total)} ${STATES.map((one) => tab(one, counts[one]))}
      ${isWaiting || counts.awaitingApproval > 0 ? tab(WAITING, counts.awaitingApproval) : nothing}
    </nav>`
  }

  #table(campaigns: readonly CampaignAnswer[]): TemplateResult {
    return html`<div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Campaign</th>
            <th scope="col" class="wide-only">State</th>
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

  #row({ id, key, name, status, draft, currentVersion, pendingPublish, updatedAt }: CampaignAnswer): TemplateResult {
    const isWaiting = pendingPublish?.state === 'waiting'
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${this.context.link('campaign', id)}>${name}</a>
        <span class="row-note">${key}</span>
        ${isWaiting ? html`<span class="row-note">${badge('waits for approval', 'warn')} ${pendingPublish.askedBy}</span>` : nothing}
        <span class="row-note narrow-only">${badge(status)}</span>
      </th>
      <td class="wide-only">${badge(status)}</td>
      <td class="wide-only"><code>${eventOf(draft)}</code></td>
      <td class="wide-only">${stepTypesOf(draft).join(' → ')}</td>
      <td class="wide-only">${this.#days.value === undefined ? '' : sparkline(this.#days.value.get(id))}</td>
      <td class="number">${currentVersion ?? '–'}</td>
      <td class="wide-only">${age(updatedAt)}</td>
    </tr>`
  }
}

customElements.define('nc-campaigns', NcCampaigns)
