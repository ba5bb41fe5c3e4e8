// Draws the deliveries of a campaign over time as lines: delivered, read and clicked.

import { html, svg, type TemplateResult } from 'lit'
import type { FunnelSeriesAnswer } from '../../../contract/resources/stats.ts'
import { STEP_NAMES, seriesView } from '../../elements/series-view.ts'
import { formatCount } from '../../lib/format.ts'
import { HEIGHT, topOf, WIDTH } from '../home/chart.ts'
import { pointsOf } from './sparkline.ts'

const LINES = ['delivery', 'read', 'clicked'] as const

/** What was delivered before a point may be read in it: the lines may cross. */
export function trendView(series: FunnelSeriesAnswer): TemplateResult {
  const { points, unit } = series
  const top = Math.max(topOf(points), ...points.map(({ read }) => read))
  const drawing = { width: WIDTH, height: HEIGHT, top }
  return seriesView(series, {
    legend: html`${LINES.map((step) => html`<span data-step=${step}>${STEP_NAMES[step]}</span>`)}
      <span class="hint">by ${unit}, at most ${formatCount(top)}</span>`,
    drawing: html`<svg class="trend" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      ${LINES.map((step) => {
        const line = pointsOf(
          points.map((point) => point[step]),
          drawing,
        )
        return svg`<polyline data-step=${step} points=${line}></polyline>`
      })}
    </svg>`,
  })
}
