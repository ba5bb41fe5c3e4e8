// <nc-funnel>: the funnel of a campaign by channel, window and version, as drawings and tables, by branch and over time;
// polled, with PNG and CSV.

import { html, nothing, svg, type TemplateResult } from 'lit'
import type { FunnelAnswer, FunnelStep } from '../../../contract/api.ts'
import type { Channel, Window } from '../../../contract/delivery.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { FunnelSeriesAnswer } from '../../../contract/resources/stats.ts'
import { icon } from '../../elements/icon.ts'
import { segments } from '../../elements/segments.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { toCsv } from '../../lib/csv.ts'
import { download } from '../../lib/download.ts'
import { formatCount, formatPercent, toWords } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { branchBars } from './branch-bars.ts'
import { type FunnelPart, partsOf, percentOfDelivered, versionsOf } from './funnel-branches.ts'
import { bandsOf, drawFunnel, HEIGHT, WIDTH } from './funnel-figure.ts'
import { CHANNEL_CHOICES, channelOf, WINDOW_CHOICES, WINDOW_LABELS, windowOf } from './funnel-query.ts'
import { trendView } from './trend.ts'

const POLL_MS = 5000

interface Figures {
  funnel: FunnelAnswer
  series: FunnelSeriesAnswer
}

export class NcFunnel extends LightElement {
  static override properties = { context: { attribute: false }, campaign: { attribute: false } }

  declare context: AppContext
  declare campaign: CampaignAnswer

  readonly #figures = new Loader<Figures>(this)
  #asked = ''

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  get #window(): Window {
    return windowOf(this.context.query)
  }

  get #channel(): Channel {
    return channelOf(this.context.query, this.campaign)
  }

  protected override willUpdate(): void {
    const asked = `${this.#window} ${this.#channel}`
    if (asked === this.#asked) return
    this.#asked = asked
    void this.#load(false)
  }

  #load(quiet: boolean): Promise<Polled> {
    const query = { window: this.#window, channel: this.#channel }
    const { api } = this.context
    return this.#figures.load(
      async (signal) => {
        const { id } = this.campaign
        const [funnel, series] = await Promise.all([
          api.funnel(id, query, signal),
          api.campaignSeries(id, query, signal),
        ])
        return { funnel, series }
      },
      { quiet },
    )
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="funnel-title">
      <header class="card-head">
        <h2 id="funnel-title">Funnel</h2>
        <div class="card-tools">
          ${this.#versionChoice()}
          ${segments('Channel', CHANNEL_CHOICES, this.#channel, (channel) => this.#choose({ channel }))}
          ${segments('Window', WINDOW_CHOICES, this.#window, (window) => this.#choose({ window }))}
        </div>
      </header>
      ${this.#content()}
    </section>`
  }

  #choose(query: { channel?: Channel; window?: Window }): void {
    this.context.router.setQuery(query, { replace: true })
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#figures
    if (state === 'failed') return failureView(error, () => void this.#load(false))
    if (value === undefined) return loadingView(4)
    const [whole, ...branches] = partsOf(value.funnel, this.#version) as [FunnelPart, ...FunnelPart[]]
    return html`${this.#figure(whole)} ${branchBars(branches)} ${table(whole)}
      ${branches.length === 0 ? nothing : html`<details class="series-table"><summary>Each branch as a table</summary>${branches.map(table)}</details>`}
      <footer class="card-foot">
        <wa-button size="s" appearance="outlined" @click=${() => void this.#savePicture(value.funnel, whole)}>${icon('download', 'start')}PNG</wa-button>
        <wa-button size="s" appearance="outlined" @click=${() => this.#saveCsv(value.funnel)}>${icon('download', 'start')}CSV</wa-button>
        <p class="hint">Messages that were delivered in this window, which begins with a whole hour, as in the history.</p>
      </footer>
      <h3 class="card-section">Trend of all versions</h3>
      ${trendView(value.series)}`
  }

  /** Undefined: all versions. Only branches are counted by version. */
  get #version(): number | undefined {
    const wanted = Number(this.context.query.get('version') ?? Number.NaN)
    const hasVersions = this.#figures.value?.funnel.branches !== undefined
    return hasVersions && Number.isInteger(wanted) && wanted >= 1 ? wanted : undefined
  }

  #versionChoice(): TemplateResult | typeof nothing {
    const funnel = this.#figures.value?.funnel
    const chosen = this.#version
    const found = funnel === undefined ? [] : versionsOf(funnel)
    // The chosen one stays in the list also when the window has no message of it.
    const versions = chosen === undefined || found.includes(chosen) ? found : [chosen, ...found]
    if (versions.length === 0) return nothing
    const choose = ({ target }: Event) => {
      const { value } = target as HTMLSelectElement
      this.context.router.setQuery({ version: value || undefined }, { replace: true })
    }
    return html`<select class="select" aria-label="Version" @change=${choose}>
      <option value="" ?selected=${chosen === undefined}>All versions</option>
      ${versions.map((version) => html`<option value=${version} ?selected=${version === chosen}>Version ${version}</option>`)}
    </select>`
  }

  /** The table below has the same figures for those who do not see it. */
  #figure({ steps }: FunnelPart): TemplateResult {
    if (steps.every(({ count }) => count === 0))
      return html`<p class="none-found">No message was delivered in this window.</p>`
    return html`<svg class="funnel-figure" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      ${bandsOf(steps).map(
        ({ bar, way, label, count, percent }, at) => svg`
          <rect class="funnel-band" x=${bar.x} y=${bar.y} width=${bar.width} height=${bar.height} rx="3"></rect>
          <polygon class="funnel-way" points=${way}></polygon>
          <text class="funnel-label" x=${bar.x} y=${HEIGHT - 24}>${label} ${count}</text>
          <text class="funnel-percent" x=${bar.x} y=${HEIGHT - 6}>${at === 0 ? '' : percent}</text>`,
      )}
    </svg>`
  }

  async #savePicture(funnel: FunnelAnswer, part: FunnelPart): Promise<void> {
    const version = this.#version === undefined ? '' : `, ${part.name}`
    const title = `${this.campaign.name}: ${toWords(funnel.channel)}, ${WINDOW_LABELS[funnel.window]}${version}`
    const styleOf = (selector: string) => getComputedStyle(this.querySelector(selector) ?? this)
    const picture = await drawFunnel(part, title, {
      accent: styleOf('.funnel-band').fill,
      text: styleOf('.funnel-label').fill,
      muted: styleOf('.funnel-percent').fill,
      surface: styleOf('.card').backgroundColor,
    })
    download(picture, `${this.#fileName(funnel)}.png`)
  }

  #saveCsv(funnel: FunnelAnswer): void {
    const rows = (version: number | null, branch: string | null, steps: readonly FunnelStep[]) =>
      steps.map(({ step, count, percentOfPrevious }, at) => [
        ...[version, branch, step, count, percentOfPrevious],
        percentOfDelivered(steps, at),
      ])
    const branches = (funnel.branches ?? []).flatMap(({ version, branch, steps }) => rows(version, branch, steps))
    const head = ['version', 'branch', 'step', 'count', 'percentOfPrevious', 'percentOfDelivered']
    download(
      new Blob([toCsv([head, ...rows(null, null, funnel.steps), ...branches])], { type: 'text/csv' }),
      `${this.#fileName(funnel)}.csv`,
    )
  }

  #fileName({ channel, window }: FunnelAnswer): string {
    return `${this.campaign.key}-${channel}-${window}`
  }
}

function table({ name, steps }: FunnelPart): TemplateResult {
  return html`<table class="table funnel-table">
    <caption>${name}</caption>
    <thead>
      <tr>
        <th scope="col">Step</th>
        <th scope="col" class="number">Messages</th>
        <th scope="col" class="number">Of the step before</th>
        <th scope="col" class="number">Of delivered</th>
      </tr>
    </thead>
    <tbody>
      ${steps.map(
        ({ step, count, percentOfPrevious }, at) =>
          html`<tr>
            <th scope="row">${toWords(step)}</th>
            <td class="number">${formatCount(count)}</td>
            <td class="number">${step === 'delivery' ? nothing : formatPercent(percentOfPrevious)}</td>
            <td class="number">${at === 0 ? nothing : formatPercent(percentOfDelivered(steps, at))}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

customElements.define('nc-funnel', NcFunnel)
