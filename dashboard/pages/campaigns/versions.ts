// <nc-versions>: the published versions of a campaign, and the difference of any two of them or the draft.

import { html, type TemplateResult } from 'lit'
import type { CampaignAnswer, CampaignVersionAnswer } from '../../../contract/management-schemas.ts'
import { tag } from '../../elements/badge.ts'
import { jsonView, time } from '../../elements/bits.ts'
import { differenceView } from '../../elements/difference.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { changesOf } from './definition.ts'

/** The draft stands beside the versions. */
const DRAFT = 'draft'

export class NcVersions extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    from: { state: true },
    to: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare from: string | undefined
  declare to: string

  readonly #versions = new Loader<CampaignVersionAnswer[]>(this)
  #shown: number | null | undefined

  constructor() {
    super()
    this.to = DRAFT
  }

  protected override willUpdate(): void {
    if (this.#shown === this.campaign.currentVersion) return
    this.#shown = this.campaign.currentVersion
    this.from = undefined
    this.#load()
  }

  #load(): void {
    void this.#versions.load(async (signal) => (await this.context.api.versions(this.campaign.id, signal)).data)
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="versions-title">
        <header class="card-head"><h2 id="versions-title">Versions</h2></header>
        ${this.#content()}
      </section>
      <section class="card" aria-labelledby="definition-title">
        <header class="card-head">
          <h2 id="definition-title">Definition of the draft</h2>
          <p class="hint">Read-only here.</p>
        </header>
        ${jsonView(this.campaign.draft, 'Definition of the draft as JSON')}
      </section>`
  }

  #content(): TemplateResult {
    const versions = this.#versions.value
    if (this.#versions.state === 'failed') return failureView(this.#versions.error, () => this.#load())
    if (versions === undefined) return loadingView(3)
    if (versions.length === 0) return html`<p class="none-found">Nothing is published yet: there is only the draft.</p>`
    const from = this.from ?? String(versions[0]?.version)
    return html`<table class="table">
        <thead>
          <tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col" class="number">Steps</th></tr>
        </thead>
        <tbody>
          ${versions.map(
            ({ version, publishedAt, definition }) =>
              html`<tr>
                <th scope="row">${version} ${version === this.campaign.currentVersion ? tag('Current') : ''}</th>
                <td>${time(publishedAt)}</td>
                <td class="number">${(definition as { steps?: unknown[] }).steps?.length ?? 0}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h3 class="card-section">Compare</h3>
      <div class="compare">
        ${this.#choice('from', 'From', from, versions)} ${this.#choice('to', 'To', this.to, versions)}
      </div>
      ${differenceView(changesOf(this.#definition(from, versions), this.#definition(this.to, versions)))}`
  }

  #choice(
    name: 'from' | 'to',
    label: string,
    current: string,
    versions: readonly CampaignVersionAnswer[],
  ): TemplateResult {
    const choose = ({ target }: Event) => {
      this[name] = (target as HTMLSelectElement).value
    }
    const choices = [
      ...versions.map(({ version }) => [String(version), `Version ${version}`] as const),
      [DRAFT, 'Draft'] as const,
    ]
    return html`<label class="filter">
      <span class="filter-label">${label}</span>
      <select class="select" @change=${choose}>
        ${choices.map(([value, words]) => html`<option value=${value} ?selected=${value === current}>${words}</option>`)}
      </select>
    </label>`
  }

  #definition(name: string, versions: readonly CampaignVersionAnswer[]): unknown {
    return name === DRAFT ? this.campaign.draft : versions.find(({ version }) => String(version) === name)?.definition
  }
}

customElements.define('nc-versions', NcVersions)
