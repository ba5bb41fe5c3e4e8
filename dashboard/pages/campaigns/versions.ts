// <nc-versions>: the published versions of a campaign, and the difference of any two of them or the draft.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { callerName } from '../../../contract/caller-name.ts'
import type { CampaignAnswer, CampaignVersionAnswer } from '../../../contract/resources/campaign.ts'
import { tag } from '../../elements/badge.ts'
import { age, jsonView } from '../../elements/bits.ts'
import { differenceView } from '../../elements/difference.ts'
import { failureView, listFoot, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import type { NcPublish } from '../editor/publish/publish.ts'
import { changesOf } from './definition.ts'

/** The draft stands beside the versions. */
const DRAFT = 'draft'
const PAGE_VERSIONS = 20

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

  readonly #publish = createRef<NcPublish>()
  readonly #versions = new ListLoader<CampaignVersionAnswer>(this, (cursor, signal) =>
    this.context.api.versions(this.campaign.id, { limit: PAGE_VERSIONS, cursor }, signal),
  )
  /** Both sides of the comparison. */
  readonly #compared = new Loader<readonly [from: unknown, to: unknown]>(this)
  #shown: number | null | undefined
  #asked = ''

  constructor() {
    super()
    this.to = DRAFT
  }

  protected override willUpdate(): void {
    const { currentVersion } = this.campaign
    if (this.#shown !== currentVersion) {
      this.#shown = currentVersion
      this.from = undefined
      if (this.campaign.currentVersion !== null) this.#versions.reload()
    }
    const asked = `${currentVersion} ${this.from} ${this.to}`
    if (asked === this.#asked || currentVersion === null) return
    this.#asked = asked
    void this.#compared.load((signal) => Promise.all([this.#read(this.#from, signal), this.#read(this.to, signal)]))
  }

  get #from(): string {
    return this.from ?? String(this.campaign.currentVersion)
  }

  /** @returns The definition of a version; undefined of the draft, which the campaign has. */
  async #read(name: string, signal: AbortSignal): Promise<unknown> {
    if (name === DRAFT) return undefined
    return (await this.context.api.version(this.campaign.id, Number(name), signal)).definition
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
      </section>
      <nc-publish ${ref(this.#publish)} .context=${this.context} .campaign=${this.campaign}></nc-publish>`
  }

  /** The page reads the campaign anew after `campaign-changed`, which bubbles. */
  async #rollBack({ version, definition }: CampaignVersionAnswer): Promise<void> {
    await import('../editor/publish/publish.ts')
    await this.#publish.value?.ask({ version, definition })
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#versions
    if (this.campaign.currentVersion === null)
      return html`<p class="none-found">Nothing is published yet: there is only the draft.</p>`
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined) return loadingView(3)
    const newest = value.rows[0]?.version ?? 0
    const mayChange = this.context.may('editor') && this.campaign.status !== 'archived'
    return html`<table class="table">
        <thead>
          <tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col" class="number wide-only">Steps</th>${mayChange ? html`<th scope="col"><span class="sr">Actions</span></th>` : nothing}</tr>
        </thead>
        <tbody>
          ${value.rows.map((row) => {
            const { version, publishedAt, publishedBy, note, definition } = row
            const isCurrent = version === this.campaign.currentVersion
            return html`<tr>
                <th scope="row">${version} ${isCurrent ? tag('Current') : ''}</th>
                <td>${age(publishedAt)}${publishedBy === null ? nothing : html` <span class="row-note">by ${callerName(publishedBy, 'within')}</span>`}${note === null ? nothing : html`<span class="row-note">${note}</span>`}</td>
                <td class="number wide-only">${(definition as { steps?: unknown[] }).steps?.length ?? 0}</td>
                ${
                  mayChange
                    ? html`<td class="row-actions">${isCurrent ? nothing : html`<wa-button size="s" appearance="plain" @click=${() => void this.#rollBack(row)}>Roll back<span class="sr"> to version ${version}</span></wa-button>`}</td>`
                    : nothing
                }
              </tr>`
          })}
        </tbody>
      </table>
      ${value.cursor === undefined ? nothing : listFoot(this.#versions, 'version')}
      <h3 class="card-section">Compare</h3>
      <div class="compare">
        ${this.#choice('from', 'From', this.#from, newest)} ${this.#choice('to', 'To', this.to, newest)}
      </div>
      ${this.#difference()}`
  }

  #difference(): TemplateResult {
    const { value, state, error } = this.#compared
    if (state === 'failed') return failureView(error)
    if (value === undefined || state === 'loading') return loadingView(2)
    const [from = this.campaign.draft, to = this.campaign.draft] = value
    return differenceView(changesOf(from, to))
  }

  /** Versions are numbered from 1 without gaps: all can be chosen, also those that the table has not loaded. */
  #choice(name: 'from' | 'to', label: string, current: string, newest: number): TemplateResult {
    const choose = ({ target }: Event) => {
      this[name] = (target as HTMLSelectElement).value
    }
    const choices = [
      ...Array.from({ length: newest }, (_, index) => [String(newest - index), `Version ${newest - index}`] as const),
      [DRAFT, 'Draft'] as const,
    ]
    return html`<label class="filter">
      <span class="filter-label">${label}</span>
      <select class="select" @change=${choose}>
        ${choices.map(([value, words]) => html`<option value=${value} ?selected=${value === current}>${words}</option>`)}
      </select>
    </label>`
  }
}

customElements.define('nc-versions', NcVersions)
