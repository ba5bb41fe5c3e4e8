// Frames a drawing of the funnel over time: its legend, its first and last moment, and the same figures as a table.

import { html, type TemplateResult } from 'lit'
import { FUNNEL_STEPS, type FunnelStepName } from '../../contract/delivery.ts'
import type { FunnelSeriesAnswer } from '../../contract/resources/stats.ts'
import { formatCount, formatDay, formatTime, toWords } from '../lib/format.ts'

export const STEP_NAMES: Readonly<Record<FunnelStepName, string>> = {
  delivery: 'Delivered',
  read: 'Read',
  opened: 'Opened',
  clicked: 'Clicked',
}

/** @returns The hour or the day of a point. */
export const nameOfPoint = (at: string, unit: FunnelSeriesAnswer['unit']): string =>
  unit === 'hour' ? formatTime(at).replace(/:\d\d$/, '') : formatDay(at)

export function seriesView(
  { points, unit }: Pick<FunnelSeriesAnswer, 'points' | 'unit'>,
  { legend, drawing }: { legend: unknown; drawing: unknown },
): TemplateResult {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.every(({ delivery }) => delivery === 0))
    return html`<p class="none-found">No message was delivered in this window.</p>`
  return html`<figure class="series">
      <figcaption class="series-legend">${legend}</figcaption>
      ${drawing}
      <p class="series-ends hint"><span>${nameOfPoint(first.at, unit)}</span><span>${nameOfPoint(last.at, unit)}</span></p>
    </figure>
    <details class="series-table">
      <summary>The same as a table</summary>
      <div class="table-box" tabindex="0" role="region" aria-label="Figures as a table">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${toWords(unit)}</th>
              ${FUNNEL_STEPS.map((step) => html`<th scope="col" class="number">${STEP_NAMES[step]}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${points.toReversed().map(
              (point) => html`<tr>
                <th scope="row">${nameOfPoint(point.at, unit)}</th>
                ${FUNNEL_STEPS.map((step) => html`<td class="number">${formatCount(point[step])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`
}
