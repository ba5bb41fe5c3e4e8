// Draws the deliveries of a campaign by day as a small line, with their sum as text.

import { html, svg, type TemplateResult } from 'lit'
import { formatCount } from '../../lib/format.ts'

const WIDTH = 96
const HEIGHT = 24
/** Keeps the stroke inside of the drawing. */
const EDGE = 2

/** @returns The points of the line, from the left; on the ground where there is nothing. */
export function pointsOf(deliveries: readonly number[]): string {
  const highest = Math.max(1, ...deliveries)
  const stride = (WIDTH - 2 * EDGE) / Math.max(1, deliveries.length - 1)
  return deliveries
    .map((count, at) => {
      const y = HEIGHT - EDGE - (count / highest) * (HEIGHT - 2 * EDGE)
      return `${round(EDGE + at * stride)},${round(y)}`
    })
    .join(' ')
}

const round = (value: number): number => Math.round(value * 10) / 10

/** @param deliveries A number for each day; undefined: none on all days. */
export function sparkline(deliveries: readonly number[] | undefined): TemplateResult {
  if (deliveries === undefined) return html`<span class="none">–</span>`
  const sum = deliveries.reduce((total, count) => total + count, 0)
  return html`<span class="sparkline">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} width=${WIDTH} height=${HEIGHT} aria-hidden="true">
      ${svg`<polyline class="sparkline-line" points=${pointsOf(deliveries)}></polyline>`}
    </svg>
    <span class="sparkline-sum">${formatCount(sum)}</span>
  </span>`
}
