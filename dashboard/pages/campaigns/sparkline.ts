// Draws the deliveries of a campaign by day as a small line, with their sum as text.

import { html, svg, type TemplateResult } from 'lit'
import { formatCount } from '../../lib/format.ts'

const WIDTH = 96
const HEIGHT = 24
/** Keeps the stroke inside of the drawing. */
const EDGE = 2

export interface Drawing {
  width: number
  height: number
  /** What the top stands for. */
  top: number
}

const smallOf = (deliveries: readonly number[]): Drawing => ({
  width: WIDTH,
  height: HEIGHT,
  top: Math.max(1, ...deliveries),
})

/** @returns The points of the line, from the left; on the ground where there is nothing. */
export function pointsOf(counts: readonly number[], { width, height, top }: Drawing = smallOf(counts)): string {
  const stride = (width - 2 * EDGE) / Math.max(1, counts.length - 1)
  return counts
    .map((count, at) => {
      const y = height - EDGE - (Math.min(count, top) / top) * (height - 2 * EDGE)
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
