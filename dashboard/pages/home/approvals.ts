// <nc-home-approvals>: the campaigns whose publishing waits for a second person; nothing where none does.

import { html, nothing, type TemplateResult } from 'lit'
import type { Page } from '../../../contract/api.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { badge } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { requestRightsOf } from '../../lib/publish-right.ts'
import type { AppContext } from '../../shell/context.ts'

const POLL_MS = 30_000
/** Rows that are shown; the list of campaigns has all. */
const SHOWN = 5

class NcHomeApprovals extends LightElement {
  static override properties = { context: { attribute: false } }

  declare context: AppContext
  readonly #waiting = new Loader<Page<CampaignAnswer>>(this)

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load())
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  /** Without an answer the page still has its other parts; the list of campaigns shows the failure. */
  #load() {
    const { api } = this.context
    return this.#waiting.load((signal) => api.campaigns({ pendingPublish: 'waiting', limit: SHOWN }, signal), {
      quiet: true,
    })
  }

  override render(): TemplateResult | typeof nothing {
    const { value } = this.#waiting
    if (value === undefined || value.data.length === 0) return nothing
    const { link } = this.context
    const all = link('campaigns', '', { state: 'waits-for-approval' })
    return html`<section class="card" aria-labelledby="approvals-title">
      <header class="card-head"><h2 id="approvals-title">Waits for approval</h2></header>
      <ul class="lights">${value.data.map((one) => this.#row(one))}</ul>
      ${value.nextCursor === null ? nothing : html`<p class="list-foot"><a class="link" href=${all}>See all</a></p>`}
    </section>`
  }

  #row({ id, name, pendingPublish: pending }: CampaignAnswer): TemplateResult | typeof nothing {
    if (pending === undefined) return nothing
    const { mayAnswer, isOwn } = requestRightsOf(this.context, pending)
    const word = mayAnswer ? 'for you to approve' : isOwn ? 'asked by you' : 'waits'
    return html`<li>
      <a class="row-link" href=${this.context.link('campaign', id)}>${name}</a> ${badge(word, mayAnswer ? 'warn' : 'info')}
      <p class="row-note">${pending.askedBy}, ${age(pending.askedAt)}${pending.note === null ? nothing : `: “${pending.note}”`}</p>
    </li>`
  }
}

customElements.define('nc-home-approvals', NcHomeApprovals)
