// <nc-home-figures>: what was delivered, read, opened and clicked in the window, against the time before, and who is online.

import { html, nothing, svg, type TemplateResult } from 'lit'
import { type Channel, FUNNEL_STEPS, type FunnelStepName, type Window } from '../../../contract/delivery.ts'
import type { EnvironmentSeriesAnswer } from '../../../contract/resources/stats.ts'
import { nameOfPoint, STEP_NAMES, seriesView } from '../../elements/series-view.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { barsOf, changeOf, HEIGHT, topOf, WIDTH } from './chart.ts'

const POLL_MS = 10_000

interface Figures {
  series: EnvironmentSeriesAnswer
  online: number
}

class NcHomeFigures extends LightElement {
  static override properties = {
    context: { attribute: false },
    window: { attribute: false },
    channel: { attribute: false },
  }

  declare context: AppContext
  declare window: Window
  declare channel: Channel

  readonly #figures = new Loader<Figures>(this)
  #asked = ''

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override willUpdate(): void {
    const asked = `${this.window} ${this.channel}`
    if (asked === this.#asked) return
    this.#asked = asked
    void this.#load(this.#figures.value !== undefined)
  }

  #load(quiet: boolean): Promise<Polled> {
    const { api } = this.context
    const query = { window: this.window, channel: this.channel }
    return this.#figures.load(
      async (signal) => {
        const [series, { online }] = await Promise.all([api.series(query, signal), api.online(signal)])
        return { series, online }
      },
      { quiet },
    )
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#figures
    // Figures of another window stay until the answer, and not when there is none.
    const isOther =
      value !== undefined && (value.series.window !== this.window || value.series.channel !== this.channel)
    if (state === 'failed' || (isOther && error !== undefined)) return failureView(error, () => void this.#load(false))
    if (value === undefined) return html`<section class="card">${loadingView(5)}</section>`
    const { series, online } = value
    return html`<section class="card" aria-label="Figures">
      <dl class="figures">
        ${FUNNEL_STEPS.map((step) => figure(step, series))}
        <div class="figure">
          <dt>Online now</dt>
          <dd>${formatCount(online)}</dd>
          <dd class="hint">${online === 1 ? 'user' : 'users'}</dd>
        </div>
      </dl>
      ${chart(series)}
    </section>`
  }
}

const sumOf = ({ points }: EnvironmentSeriesAnswer, step: FunnelStepName): number =>
  points.reduce((sum, point) => sum + point[step], 0)

function figure(step: FunnelStepName, series: EnvironmentSeriesAnswer): TemplateResult {
  const count = sumOf(series, step)
  const before = series.previous?.[step]
  return html`<div class="figure">
    <dt>${STEP_NAMES[step]}</dt>
    <dd>${formatCount(count)}</dd>
    <dd class="hint">${before === undefined ? nothing : compared(count, before)}</dd>
  </div>`
}

function compared(count: number, before: number): TemplateResult {
  const change = changeOf(count, before)
  const title = `${formatCount(before)} in the same time before`
  if (change === null)
    return html`<span title=${title}>${count === 0 ? 'None before' : 'None in the time before'}</span>`
  const words = change === 0 ? 'As many as' : `${formatCount(Math.abs(change))} % ${change > 0 ? 'more' : 'fewer'} than`
  return html`<span title=${title}>${words} before</span>`
}

function chart(series: EnvironmentSeriesAnswer): TemplateResult {
  const { points, unit } = series
  const legend = html`<span data-step="delivery">Delivered</span><span data-step="read">Read</span><span data-step="clicked">Clicked</span>
    <span class="hint">by ${unit}, at most ${formatCount(topOf(points))}</span>`
  return seriesView(series, {
    legend,
    drawing: html`<svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      ${barsOf(points).map(
        ({ at, x, width, parts }, place) =>
          svg`<g><title>${nameOfPoint(at, unit)}: ${titleOf(points[place])}</title>
            <rect class="series-room" x=${x} y="0" width=${width} height=${HEIGHT}></rect>
            ${parts.map(({ step, y, height }) => svg`<rect data-step=${step} x=${x} y=${y} width=${width} height=${height}></rect>`)}</g>`,
      )}
    </svg>`,
  })
}

const titleOf = (point: EnvironmentSeriesAnswer['points'][number] | undefined): string =>
  FUNNEL_STEPS.map((step) => `${formatCount(point?.[step] ?? 0)} ${STEP_NAMES[step].toLowerCase()}`).join(', ')

customElements.define('nc-home-figures', NcHomeFigures)
