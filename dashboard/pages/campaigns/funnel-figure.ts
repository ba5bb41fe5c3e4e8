// Computes the shape of a funnel, and draws it on a canvas for the picture.

import type { FunnelStep } from '../../../contract/api.ts'
import { formatCount, formatPercent, toWords } from '../../lib/format.ts'

/** The drawing, in its own units. */
export const WIDTH = 720
export const HEIGHT = 224
/** Where the bars stand, and how high the first one is. */
const BASE = 176
const TALLEST = 168
const LEAST = 3
/** Part of a step's width that its bar takes; the rest leads to the next bar. */
const BAR = 0.58

export interface Band {
  step: FunnelStep
  bar: { x: number; y: number; width: number; height: number }
  /** The way from this bar to the next one, as the points of a polygon; empty after the last. */
  way: string
  label: string
  count: string
  percent: string
}

/** @returns One bar per step, as high as its share of the first step. */
export function bandsOf(steps: readonly FunnelStep[]): Band[] {
  const first = steps[0]?.count ?? 0
  const stride = WIDTH / Math.max(1, steps.length - 1 + BAR)
  const width = stride * BAR
  // Nothing has no bar; a first step may be emptier than the next ones, where retention has purged it.
  const heightOf = (count: number) => (first === 0 ? TALLEST : (count / first) * TALLEST)
  const topOf = (count: number) => BASE - (count === 0 ? 0 : Math.min(TALLEST, Math.max(LEAST, heightOf(count))))
  return steps.map((step, at) => {
    const x = at * stride
    const y = topOf(step.count)
    const next = steps[at + 1]
    const corners: [number, number][] =
      next === undefined
        ? []
        : [
            [x + width, y],
            [x + stride, topOf(next.count)],
            [x + stride, BASE],
            [x + width, BASE],
          ]
    return {
      step,
      bar: { x: round(x), y: round(y), width: round(width), height: round(BASE - y) },
      way: corners.map(([left, top]) => `${round(left)},${round(top)}`).join(' '),
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
export async function drawFunnel(
  funnel: { steps: readonly FunnelStep[] },
  title: string,
  colours: FunnelColours,
): Promise<Blob> {
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
  for (const [at, { bar, way, label, count, percent }] of bandsOf(funnel.steps).entries()) {
    context.fillStyle = colours.accent
    context.fillRect(bar.x, bar.y, bar.width, bar.height)
    context.globalAlpha = 0.16
    context.beginPath()
    for (const corner of way === '' ? [] : way.split(' ')) {
      context.lineTo(...(corner.split(',').map(Number) as [number, number]))
    }
    context.fill()
    context.globalAlpha = 1
    write(`${label} ${count}`, bar.x, HEIGHT - 22, '600 14px', colours.text)
    write(at === 0 ? '' : percent, bar.x, HEIGHT - 4, '400 13px', colours.muted)
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture is empty')) : resolve(blob)), 'image/png')
  })
}
