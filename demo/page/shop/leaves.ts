// Computes paths of leaves and stems from a base point, a length and an angle (degrees, 0 is up, clockwise).

import { svg } from '../dom.ts'

export interface Point {
  x: number
  y: number
}

/** Returns the point at `along` and `aside` of an axis that begins at `base`. */
export function onAxis(base: Point, angle: number, along: number, aside = 0): Point {
  const radians = (angle * Math.PI) / 180
  return {
    x: base.x + along * Math.sin(radians) + aside * Math.cos(radians),
    y: base.y - along * Math.cos(radians) + aside * Math.sin(radians),
  }
}

const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`

/** Returns the outline of a leaf. `belly` is the place of its largest width: 0.2 a heart, 0.5 an almond. */
export function leafPath(base: Point, angle: number, length: number, width: number, belly = 0.4): string {
  const tip = onAxis(base, angle, length)
  const half = width / 2
  const side = (sign: number) => [
    onAxis(base, angle, length * belly * 0.15, sign * half * 1.25),
    onAxis(base, angle, length * (belly + 0.35), sign * half * 1.05),
  ]
  const [leftLow, leftHigh] = side(-1) as [Point, Point]
  const [rightLow, rightHigh] = side(1) as [Point, Point]
  return `M${at(base)}C${at(leftLow)} ${at(leftHigh)} ${at(tip)}C${at(rightHigh)} ${at(rightLow)} ${at(base)}Z`
}

export function stem(from: Point, to: Point, bend: number, tone = 'stem'): SVGElement {
  const middle = { x: (from.x + to.x) / 2 + bend, y: (from.y + to.y) / 2 }
  return svg('path', { class: tone, d: `M${at(from)}Q${at(middle)} ${at(to)}` })
}

/** Draws a leaf with its shaded half and its vein. */
export function leaf(base: Point, angle: number, length: number, width: number, tone: string, belly = 0.4): SVGElement {
  const tip = onAxis(base, angle, length)
  const half = onAxis(base, angle, length * (belly + 0.35), width * 0.52)
  const low = onAxis(base, angle, length * belly * 0.15, width * 0.62)
  return svg(
    'g',
    {},
    svg('path', { class: tone, d: leafPath(base, angle, length, width, belly) }),
    svg('path', { class: 'leaf-shade', d: `M${at(base)}C${at(low)} ${at(half)} ${at(tip)}Z` }),
    svg('path', { class: 'vein', d: `M${at(base)}L${at(onAxis(base, angle, length * 0.86))}` }),
  )
}

let lastClip = 0

/** Draws the slits of a monstera: cuts from the rim towards the vein, within the leaf. */
export function slits(base: Point, angle: number, length: number, width: number, belly: number): SVGElement {
  lastClip += 1
  const id = `leaf-${lastClip}`
  const cuts = [0.24, 0.42, 0.6].flatMap((along) =>
    [-1, 1].map((side) => {
      const outer = onAxis(base, angle, length * (along + 0.16), side * width * 0.7)
      const inner = onAxis(base, angle, length * along, side * width * 0.16)
      return `M${at(outer)}L${at(inner)}`
    }),
  )
  return svg(
    'g',
    {},
    svg('clipPath', { id }, svg('path', { d: leafPath(base, angle, length, width, belly) })),
    svg('path', { class: 'slit', 'clip-path': `url(#${id})`, d: cuts.join('') }),
  )
}
