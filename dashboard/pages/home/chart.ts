// Computes the bars of a series: of each hour or day the deliveries, and within them what was read and clicked.

import type { EnvironmentSeriesAnswer } from '../../../contract/resources/stats.ts'

type Point = EnvironmentSeriesAnswer['points'][number]

/** The drawing, in its own units. */
export const WIDTH = 900
export const HEIGHT = 160
/** Part of a bar's room that it takes. */
const BAR = 0.76
const WIDEST = 28

export interface Bar {
  at: string
  x: number
  width: number
  /** From the ground up. */
  parts: { step: 'delivery' | 'read' | 'clicked'; y: number; height: number }[]
}

/** The most that the axis shows: a round number. */
export function topOf(points: readonly Point[]): number {
  const highest = Math.max(1, ...points.map(({ delivery }) => delivery))
  const power = 10 ** Math.floor(Math.log10(highest))
  return (
    [1, 1.5, 2, 3, 4, 5, 6, 8, 10]
      .map((factor) => factor * power)
      .find((top) => top >= highest && Number.isInteger(top)) ?? highest
  )
}

/** @returns A bar for each point, from the left. What was delivered before the window may be read in it: no part is higher. */
export function barsOf(points: readonly Point[]): Bar[] {
  const top = topOf(points)
  const room = WIDTH / Math.max(1, points.length)
  const width = Math.min(WIDEST, room * BAR)
  return points.map((point, at) => ({
    at: point.at,
    x: round(at * room + (room - width) / 2),
    width: round(width),
    parts: (['delivery', 'read', 'clicked'] as const).flatMap((step) => {
      const count = Math.min(point[step], point.delivery)
      const height = round(Math.max(1, (count / top) * HEIGHT))
      return count === 0 ? [] : [{ step, y: round(HEIGHT - height), height }]
    }),
  }))
}

const round = (value: number): number => Math.round(value * 10) / 10

/** @returns By how many per cent it is more than before; null where there was nothing to compare with. */
export const changeOf = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 100)
