// <nc-home-figures>: what was delivered, read, opened and clicked in the window, against the time before, and who is online.

import { html, nothing, svg, type TemplateResult } from 'lit'
import { type Channel, FUNNEL_STEPS, type FunnelStepName, type Window } from '../../../contract/delivery.ts'
import type { EnvironmentSeriesAnswer } from '../../../contract/resources/stats.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatCount, formatDay, formatTime, toWords } from '../../lib/format.ts'
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

const NAMES: Readonly<Record<FunnelStepName, string>> = {
  delivery: 'Delivered',
  read: 'Read',
  opened: 'Opened',
  clicked: 'Clicked',
}

const sumOf = ({ points }: EnvironmentSeriesAnswer, step: FunnelStepName): number =>
  points.reduce((sum, point) => sum + point[step], 0)

function figure(step: FunnelStepName, series: EnvironmentSeriesAnswer): TemplateResult {
  const count = sumOf(series, step)
  const before = series.previous?.[step]
  return html`<div class="figure">
    <dt>${NAMES[step]}</dt>
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
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || sumOf(series, 'delivery') === 0)
    return html`<p class="none-found">No message was delivered in this window.</p>`
  const nameOf = (at: string) => (unit === 'hour' ? formatTime(at).replace(/:\d\d$/, '') : formatDay(at))
  return html`<figure class="series">
      <figcaption class="series-legend">
        <span data-step="delivery">Delivered</span><span data-step="read">Read</span><span data-step="clicked">Clicked</span>
        <span class="hint">by ${unit}, at most ${formatCount(topOf(points))}</span>
      </figcaption>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        ${barsOf(points).map(
          ({ at, x, width, parts }, place) =>
            svg`<g><title>${nameOf(at)}: ${titleOf(points[place])}</title>
              <rect class="series-room" x=${x} y="0" width=${width} height=${HEIGHT}></rect>
              ${parts.map(({ step, y, height }) => svg`<rect data-step=${step} x=${x} y=${y} width=${width} height=${height}></rect>`)}</g>`,
        )}
      </svg>
      <p class="series-ends hint"><span>${nameOf(first.at)}</span><span>${nameOf(last.at)}</span></p>
    </figure>
    <details class="series-table">
      <summary>The same as a table</summary>
      <div class="table-box" tabindex="0" role="region" aria-label="Figures as a table">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${toWords(unit)}</th>
              ${FUNNEL_STEPS.map((step) => html`<th scope="col" class="number">${NAMES[step]}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${points.toReversed().map(
              (point) => html`<tr>
                <th scope="row">${nameOf(point.at)}</th>
                ${FUNNEL_STEPS.map((step) => html`<td class="number">${formatCount(point[step])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`
}

const titleOf = (point: EnvironmentSeriesAnswer['points'][number] | undefined): string =>
  FUNNEL_STEPS.map((step) => `${formatCount(point?.[step] ?? 0)} ${NAMES[step].toLowerCase()}`).join(', ')

customElements.define('nc-home-figures', NcHomeFigures)
