// <nc-organisation>: the settings of the organisation, its region, and its single sign-on.

import { html, nothing, type TemplateResult } from 'lit'
import type { OrganisationAnswer } from '../../../contract/resources/organisation.ts'
import { copyable, facts, pageHead, time } from '../../elements/bits.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import './settings-card.ts'
import './single-sign-on.ts'

class NcOrganisation extends AppPage {
  readonly #organisation = new Loader<OrganisationAnswer>(this)

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    void this.#organisation.load((signal) => this.context.organisation.read(signal), { quiet })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#organisation
    return html`<div class="page">
      ${pageHead('Organisation', this.context.org.name)}
      ${
        value === undefined
          ? state === 'failed'
            ? failureView(error, () => this.#load())
            : loadingView(6)
          : this.#content(value)
      }
    </div>`
  }

  #content(organisation: OrganisationAnswer): TemplateResult {
    const { context } = this
    const { settings } = organisation
    return html`<div class="columns">
      <div class="column-main">
        ${settings === null && !context.may('admin') ? NO_SETTINGS : html`<nc-settings-card .context=${context} .settings=${settings} @settings-saved=${() => this.#load(true)}></nc-settings-card>`}
        ${context.may('admin') ? html`<nc-single-sign-on .context=${context}></nc-single-sign-on>` : nothing}
      </div>
      <aside class="column-side" aria-label="About this organisation">
        <section class="card">
          ${facts([
            ['ID', copyable(organisation.id, 'organisation ID')],
            ['Region', organisation.region?.toUpperCase() ?? 'Not chosen'],
            ['Host', organisation.host],
            ['Your role', organisation.role],
            ['Created', time(organisation.createdAt)],
          ])}
          <p class="hint">The region was chosen once, and stays.</p>
        </section>
      </aside>
    </div>`
  }
}

const NO_SETTINGS = html`<section class="card"><p class="none-found">There are no settings yet. An admin may create them.</p></section>`

customElements.define('nc-organisation', NcOrganisation)
