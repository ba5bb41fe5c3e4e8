// Computes the shape of a funnel, and draws it on a canvas for the picture.

import type { FunnelAnswer, FunnelStep } from '../../../contract/api.ts'
import { formatCount, formatPercent, toWords } from '../../lib/format.ts'

/** The drawing, in its own units. */
export const WIDTH = 720
export const HEIGHT = 220
const GAP = 4
const MIN_PX = 3
const MIDDLE = 104

export interface Band {
  step: FunnelStep
  /** The band's left edge and width. */
  x: number
  width: number
  /** Outline of the band from its own height to that of the next step, as the points of a polygon. */
  points: string
  label: string
  count: string
  percent: string
}

/** @returns One band per step; each begins as high as its share of the first step. */
export function bandsOf(steps: readonly FunnelStep[]): Band[] {
  const first = steps[0]?.count ?? 0
  const width = (WIDTH - GAP * (steps.length - 1)) / Math.max(1, steps.length)
  const heightOf = (count: number) => (first === 0 ? MIN_PX : Math.max(MIN_PX, (count / first) * (MIDDLE * 1.5)))
  return steps.map((step, at) => {
    const x = at * (width + GAP)
    const from = heightOf(step.count) / 2
    const to = heightOf(steps[at + 1]?.count ?? step.count) / 2
    const corners: [number, number][] = [
      [x, MIDDLE - from],
      [x + width, MIDDLE - to],
      [x + width, MIDDLE + to],
      [x, MIDDLE + from],
    ]
    return {
      step,
      x,
      width,
      points: corners.map(([left, top]) => `${round(left)},${round(top)}`).join(' '),
      label: toWords(step.step),
      count: formatCount(step.count),
      percent: formatPercent(step.percentOfPrevious),
    }
  })
}

const round = (value: number): number => Math.round(value * 10) / 10

export interface FunnelColours {
  accent: string
  text: string
  muted: string
  surface: string
}

/** Draws the funnel, twice as large as on the page. @returns The picture as PNG. */
export async function drawFunnel(funnel: FunnelAnswer, title: string, colours: FunnelColours): Promise<Blob> {
  const [scale, margin, head] = [2, 24, 40]
  const canvas = document.createElement('canvas')
  canvas.width = (WIDTH + 2 * margin) * scale
  canvas.height = (HEIGHT + 2 * margin + head) * scale
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser has no canvas')
  context.scale(scale, scale)
  context.fillStyle = colours.surface
  context.fillRect(0, 0, WIDTH + 2 * margin, HEIGHT + 2 * margin + head)
  context.translate(margin, margin)
  const write = (text: string, x: number, y: number, font: string, colour: string): void => {
    context.font = `${font} system-ui, sans-serif`
    context.fillStyle = colour
    context.fillText(text, x, y)
  }
  write(title, 0, 16, '600 16px', colours.text)
  context.translate(0, head)
  for (const [at, { x, points, label, count, percent }] of bandsOf(funnel.steps).entries()) {
    context.globalAlpha = 1 - at * 0.18
    context.fillStyle = colours.accent
    context.beginPath()
    for (const corner of points.split(' ')) context.lineTo(...(corner.split(',').map(Number) as [number, number]))
    context.fill()
    context.globalAlpha = 1
    write(`${label} ${count}`, x, HEIGHT - 18, '600 14px', colours.text)
    write(at === 0 ? '' : percent, x, HEIGHT, '400 13px', colours.muted)
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture is empty')) : resolve(blob)), 'image/png')
  })
}
