// <nc-campaign-flow>: the steps of a campaign as a picture with the numbers of a window and a version, and what is selected beside it.

import { html, nothing, type TemplateResult } from 'lit'
import { WINDOWS } from '../../../contract/delivery.ts'
import type { CampaignAnswer, CampaignVersionAnswer } from '../../../contract/resources/campaign.ts'
import type { FlowStatsAnswer, FlowWindow } from '../../../contract/resources/flow-stats.ts'
import { segments } from '../../elements/segments.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import type { FlowSelect } from '../../flow/flow.ts'
import '../../flow/flow.ts'
import type { FlowNote } from '../../flow/item-view.ts'
import { readFlow } from '../../flow/tree.ts'
import { sends } from '../../flow/words.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { detailsView } from './flow-details.ts'
import { notesOf } from './flow-notes.ts'
import { WINDOW_LABELS } from './funnel-query.ts'

const POLL_MS = 5000
/** Steps are not counted for longer. */
const FLOW_WINDOWS = WINDOWS.filter((one): one is FlowWindow => one !== 'all')
const CHOICES = FLOW_WINDOWS.map((one) => [one, WINDOW_LABELS[one]] as const)
const NO_NOTES: ReadonlyMap<string, FlowNote> = new Map()

class NcCampaignFlow extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    current: { attribute: false },
    about: { attribute: false },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  /** Undefined before the first publication: the picture is that of the draft, without numbers. */
  declare current: CampaignVersionAnswer | undefined
  /** Stands below the picture. */
  declare about: unknown

  readonly #older = new Loader<CampaignVersionAnswer>(this)
  readonly #stats = new Loader<FlowStatsAnswer>(this)
  #asked = ''
  #askedVersion: number | undefined
  #counted: FlowStatsAnswer | undefined
  #notes = NO_NOTES

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  get #window(): FlowWindow {
    return FLOW_WINDOWS.find((one) => one === this.context.query.get('window')) ?? '7d'
  }

  /** Versions are numbered from 1 without gaps. */
  get #version(): number | undefined {
    const newest = this.current?.version
    const wanted = Number(this.context.query.get('version'))
    return newest !== undefined && Number.isInteger(wanted) && wanted >= 1 && wanted <= newest ? wanted : newest
  }

  protected override willUpdate(): void {
    const [version, current] = [this.#version, this.current]
    if (version !== this.#askedVersion) {
      this.#askedVersion = version
      this.#older.clear()
      if (version !== undefined && version !== current?.version) this.#loadVersion(version)
    }
    const asked = `${this.#window} ${version}`
    if (asked === this.#asked) return
    this.#asked = asked
    this.#stats.clear()
    void this.#load(false)
  }

  #loadVersion(version: number): void {
    void this.#older.load((signal) => this.context.api.version(this.campaign.id, version, signal))
  }

  async #load(quiet: boolean): Promise<Polled> {
    const version = this.#version
    if (version === undefined) return {}
    const query = { window: this.#window, version }
    return this.#stats.load((signal) => this.context.api.flowStats(this.campaign.id, query, signal), { quiet })
  }

  /** Undefined while an older version is read. */
  get #definition(): Readonly<Record<string, unknown>> | undefined {
    const version = this.#version
    if (version === undefined) return this.campaign.draft
    return version === this.current?.version ? this.current.definition : this.#older.value?.definition
  }

  override render(): TemplateResult {
    const definition = this.#definition
    const details = definition === undefined ? undefined : this.#details(definition)
    return html`<div class="flow-page">
      <section class="flow-main" aria-labelledby="flow-title">
        <header class="card-head">
          <h2 id="flow-title">Steps</h2>
          ${this.#version === undefined ? html`<p class="hint">The draft: nothing is published yet.</p>` : this.#tools()}
        </header>
        ${this.#failure()} ${definition === undefined ? nothing : this.#picture(definition)}
      </section>
      ${details === undefined ? nothing : html`<aside class="flow-side" aria-label="Selected step">${details}</aside>`}
    </div>
    <section class="card flow-about" aria-label="About this campaign">${this.about}</section>`
  }

  #tools(): TemplateResult {
    const version = this.#version
    const newest = this.current?.version ?? 0
    const choose = ({ target }: Event) => {
      const { value } = target as HTMLSelectElement
      this.#setQuery({ version: Number(value) === newest ? undefined : value })
    }
    return html`<div class="card-tools">
      ${
        newest === 1
          ? nothing
          : html`<select class="select" aria-label="Version" @change=${choose}>
              ${Array.from({ length: newest }, (_, at) => newest - at).map(
                (one) =>
                  html`<option value=${one} ?selected=${one === version}>Version ${one}${one === newest ? ', current' : ''}</option>`,
              )}
            </select>`
      }
      ${segments('Window', CHOICES, this.#window, (window) => this.#setQuery({ window }))}
    </div>`
  }

  /** The steps are shown also without their numbers. */
  #failure(): TemplateResult | typeof nothing {
    if (this.#older.state === 'failed') {
      return failureView(this.#older.error, () => this.#loadVersion(this.#version ?? 1))
    }
    if (this.#stats.state === 'failed') return failureView(this.#stats.error, () => void this.#load(false))
    return this.#definition === undefined ? loadingView(6) : nothing
  }

  #picture(definition: Readonly<Record<string, unknown>>): TemplateResult {
    const { value } = this.#stats
    if (value !== this.#counted) {
      this.#counted = value
      this.#notes = value === undefined ? NO_NOTES : notesOf(value)
    }
    return html`<nc-flow
      .definition=${definition}
      .label=${`Steps of ${this.campaign.name}`}
      .notes=${this.#notes}
      .selected=${this.context.query.get('step') ?? undefined}
      @flow-select=${({ itemId }: FlowSelect) => this.#setQuery({ step: itemId })}
    ></nc-flow>`
  }

  #details(definition: Readonly<Record<string, unknown>>): TemplateResult | undefined {
    const { link, query } = this.context
    const id = query.get('step')
    if (id === null) return undefined
    const flow = readFlow(definition)
    const { campaign } = this
    return detailsView({
      flow,
      id,
      stats: this.#stats.value,
      historyOf: (statusReason, step) =>
        link('inbox', '', {
          campaignId: campaign.id,
          window: this.#window,
          statusReason,
          ...(sends(step) && { channel: step.type }),
        }),
      events: link('events', '', { name: flow.event }),
      previewOf: (step) => link('campaign', campaign.id, { tab: 'messages', step: step.id }),
      close: () => this.#setQuery({ step: undefined }),
    })
  }

  #setQuery(changes: Readonly<Record<string, string | undefined>>): void {
    this.context.router.setQuery(changes, { replace: true })
  }
}

customElements.define('nc-campaign-flow', NcCampaignFlow)
