// An icon without markup: for the bell, and where a finger swipes.

import { setAttributes } from './dom.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** A 24 × 24 outline icon of one path. */
export function outlineIcon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', fill: 'none', stroke: 'currentColor' })
  const line = document.createElementNS(SVG, 'path')
  setAttributes(line, { d: path, 'stroke-width': '1.75', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })
  svg.append(line)
  return svg
}
