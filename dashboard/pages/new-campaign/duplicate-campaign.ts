// <nc-duplicate-campaign>: the campaigns of the environment, one of which a new one copies.

import { html, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { badge } from '../../elements/badge.ts'
import { searchForm } from '../../elements/search-form.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { stepWordsOf } from './step-words.ts'

export class DuplicateCampaign extends Event {
  readonly campaign: CampaignAnswer

  constructor(campaign: CampaignAnswer) {
    super('duplicate-campaign', { bubbles: true })
    this.campaign = campaign
  }
}

class NcDuplicateCampaign extends LightElement {
  static override properties = { context: { attribute: false }, asked: { state: true } }

  declare context: AppContext
  declare protected asked: string
  readonly #list = new ListLoader<CampaignAnswer>(this, (cursor, signal) =>
    this.context.api.campaigns({ q: this.asked || undefined, limit: 20, cursor }, signal),
  )

  constructor() {
    super()
    this.asked = ''
  }

  protected override firstUpdated(): void {
    this.#list.reload()
  }

  override render(): TemplateResult {
    return html`${searchForm({
      label: 'Part of the name or the key',
      placeholder: 'Name or key',
      value: this.asked,
      search: (text) => {
        this.asked = text
        this.#list.reload()
      },
    })}
    ${this.#content()}`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(4)
    if (value.rows.length === 0) {
      return this.asked === ''
        ? emptyView({
            icon: 'campaign',
            title: 'No campaigns yet',
            text: 'There is nothing to copy. The gallery has ten to begin with.',
          })
        : html`<p class="none-found">No campaign matches.</p>`
    }
    return html`<ul class="lines">${value.rows.map((campaign) => this.#row(campaign))}</ul>
      ${listFoot(this.#list, 'campaign')}`
  }

  #row(campaign: CampaignAnswer): TemplateResult {
    const { name, key, status, draft } = campaign
    return html`<li class="duplicate-row">
      <span>${name}<span class="row-note">${key} · ${stepWordsOf(draft).join(' → ')}</span></span>
      ${badge(status)}
      <wa-button size="s" appearance="outlined" @click=${() => this.dispatchEvent(new DuplicateCampaign(campaign))}>Duplicate<span class="sr"> ${name}</span></wa-button>
    </li>`
  }
}

customElements.define('nc-duplicate-campaign', NcDuplicateCampaign)
