// <nc-home>: the first page: what the environment delivered, what it held back and why, and what needs a person.

import { html, nothing, type TemplateResult } from 'lit'
import { pageHead } from '../../elements/bits.ts'
import { segments } from '../../elements/segments.ts'
import { AppPage } from '../../shell/page-element.ts'
import { CHANNEL_CHOICES, WINDOW_CHOICES } from '../campaigns/funnel-query.ts'
import '../campaigns/not-sent.ts'
import './approvals.ts'
import './figures.ts'
import { homeQuery } from './home-query.ts'
import './lights.ts'
import './next-steps.ts'
import './top-campaigns.ts'

class NcHome extends AppPage {
  override render(): TemplateResult {
    const { context } = this
    const { window, channel } = homeQuery(context.query)
    const choose = (query: Record<string, string>) => context.router.setQuery(query, { replace: true })
    return html`<div class="page home">
      ${pageHead(
        'Home',
        `What happens in ${context.environment.name}.`,
        html`${segments('Channel', CHANNEL_CHOICES, channel, (one) => choose({ channel: one }))}
        ${segments('Window', WINDOW_CHOICES, window, (one) => choose({ window: one }))}`,
      )}
      <div class="columns">
        <div class="column-main">
          <nc-home-figures .context=${context} .window=${window} .channel=${channel}></nc-home-figures>
          <nc-not-sent .context=${context} .asked=${{ window, channel }}></nc-not-sent>
          <nc-top-campaigns .context=${context} .channel=${channel}></nc-top-campaigns>
        </div>
        <aside class="column-side" aria-label="What needs you">
          <nc-home-approvals .context=${context}></nc-home-approvals>
          ${context.may('editor') ? html`<nc-next-steps .context=${context}></nc-next-steps>` : nothing}
          <nc-home-lights .context=${context}></nc-home-lights>
        </aside>
      </div>
    </div>`
  }
}

customElements.define('nc-home', NcHome)
