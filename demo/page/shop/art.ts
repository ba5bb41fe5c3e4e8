// Draws the shop's plants: each a small scene of an arch, a pot and leaves. Colours come from the style sheet's classes.

import { svg } from '../dom.ts'
import { leaf, leafPath, onAxis, type Point, slits, stem } from './leaves.ts'
import type { PlantKind } from './plants.ts'

const SOIL: Point = { x: 120, y: 206 }

const DRAWERS: Record<PlantKind, () => SVGElement[]> = { monstera, snake, pearls, fern, cactus, fig }

/** Draws a plant without text alternative, as its name stands beside it. */
export function plantArt(kind: PlantKind, tone: string): SVGSVGElement {
  return svg(
    'svg',
    { class: `plant-art ${tone}`, viewBox: '26 32 188 248', 'aria-hidden': 'true' },
    svg('path', { class: 'arch', d: 'M28 280V128a92 92 0 0 1 184 0v152z' }),
    svg('circle', { class: 'sun', cx: 166, cy: 104, r: 34 }),
    svg('path', { class: 'floor', d: 'M28 244h184v36H28z' }),
    svg('ellipse', {
      class: 'pot-shadow',
      cx: 126,
      cy: 262,
      rx: kind === 'pearls' ? 34 : 56,
      ry: kind === 'pearls' ? 4 : 7,
    }),
    ...(kind === 'pearls' ? hangingPearls() : [svg('g', { class: 'greens' }, ...DRAWERS[kind]()), ...pot()]),
  )
}

function pot(): SVGElement[] {
  return [
    svg('path', { class: 'pot', d: 'M78 206h84l-9 50q-1.500 6-8 6H95q-6.500 0-8-6z' }),
    svg('path', { class: 'pot-shade', d: 'M134 206h28l-9 50q-1.500 6-8 6h-20q9-24 9-56z' }),
    svg('rect', { class: 'pot-rim', x: 72, y: 196, width: 96, height: 16, rx: 5 }),
  ]
}

function monstera(): SVGElement[] {
  const leaves: [number, number, number, number, string][] = [
    [-58, 74, 66, 62, 'leaf-c'],
    [54, 78, 70, 64, 'leaf-c'],
    [-30, 100, 76, 70, 'leaf-b'],
    [32, 108, 74, 70, 'leaf-b'],
    [2, 118, 82, 76, 'leaf-a'],
  ]
  return leaves.flatMap(([angle, reach, length, width, tone]) => {
    const base = onAxis(SOIL, angle * 0.62, reach * 0.78)
    const lean = angle * 1.05
    return [
      stem({ x: SOIL.x + angle * 0.12, y: SOIL.y }, base, -angle * 0.16),
      leaf(base, lean, length, width, tone, 0.12),
      slits(base, lean, length, width, 0.12),
    ]
  })
}

function snake(): SVGElement[] {
  const blades: [number, number, number, number, string][] = [
    [-30, -15, 112, 22, 'leaf-c'],
    [30, 17, 104, 22, 'leaf-c'],
    [-16, -7, 146, 24, 'leaf-b'],
    [18, 8, 136, 24, 'leaf-b'],
    [0, 1, 168, 26, 'leaf-a'],
  ]
  return blades.flatMap(([x, angle, length, width, tone]) => {
    const base = { x: SOIL.x + x, y: SOIL.y + 6 }
    const stripes = Array.from({ length: Math.floor(length / 17) - 1 }, (_, index) => {
      const along = 18 + index * 16
      const half = width * 0.34 * (1 - along / length / 1.6)
      const from = onAxis(base, angle, along, -half)
      const to = onAxis(base, angle, along, half)
      const peak = onAxis(base, angle, along + 6)
      return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${peak.x.toFixed(1)} ${peak.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`
    })
    return [
      svg('path', { class: tone, d: leafPath(base, angle, length, width, 0.5) }),
      svg('path', { class: 'edge', d: leafPath(base, angle, length, width, 0.5) }),
      svg('path', { class: 'vein', d: stripes.join('') }),
    ]
  })
}

function pearls(): SVGElement[] {
  const mound = 'M78 200q2-16 14-20 6-14 22-12 12-8 24 2 16 2 18 16 8 4 8 14z'
  return [
    svg('path', { class: 'leaf-c', d: mound }),
    svg('path', { class: 'leaf-b', d: 'M92 200q0-14 14-16 10-10 22-2 16 0 18 18z' }),
  ]
}

/** Draws the hanging plant: three cords lift pot and mound, and the strings fall in front of them. */
function hangingPearls(): SVGElement[] {
  return [
    svg('path', { class: 'cord', d: 'M120 38L74 122M120 38L166 122M120 38V122' }),
    svg('circle', { class: 'cord', cx: 120, cy: 36, r: 3 }),
    svg('g', { transform: 'translate(0 -78)' }, ...pearls(), ...pot()),
    svg('g', { class: 'hanging' }, ...pearlStrings()),
  ]
}

const PEARL_STRINGS: readonly (readonly [x: number, lean: number, length: number])[] = [
  [74, -14, 84],
  [84, -7, 118],
  [97, -4, 72],
  [108, 2, 98],
  [121, -1, 60],
  [133, 4, 108],
  [146, 3, 66],
  [156, 9, 124],
  [166, 15, 78],
]

function pearlStrings(): SVGElement[] {
  const top = 122
  return PEARL_STRINGS.flatMap(([x, lean, length], row) => {
    const last = Math.floor(length / 8)
    const beads = Array.from({ length: last + 1 }, (_, index) => {
      const along = index / last
      return svg('circle', {
        class: ['leaf-a', 'leaf-b', 'leaf-c'][(row + index) % 3],
        cx: (x + lean * along + 5 * lean * 0.1 * Math.sin(Math.PI * along) + (index % 2 === 0 ? 2.6 : -2.6)).toFixed(1),
        cy: (top + length * along).toFixed(1),
        r: (4.8 - along * 1.3).toFixed(1),
      })
    })
    return [stem({ x, y: top }, { x: x + lean, y: top + length }, lean * 0.6, 'stem thin'), ...beads]
  })
}

function fern(): SVGElement[] {
  const fronds: [number, number, string][] = [
    [-74, 96, 'leaf-c'],
    [72, 98, 'leaf-c'],
    [-48, 122, 'leaf-b'],
    [46, 124, 'leaf-b'],
    [-20, 140, 'leaf-a'],
    [22, 138, 'leaf-a'],
    [0, 128, 'leaf-b'],
  ]
  return fronds.flatMap(([lean, length, tone]) => {
    const parts: SVGElement[] = []
    let point = { ...SOIL }
    const steps = 15
    for (let index = 0; index < steps; index++) {
      const angle = lean * (0.35 + (index / steps) * 1.15)
      const next = onAxis(point, angle, length / steps)
      parts.push(stem(point, next, 0, 'stem thin'))
      const size = 7 + 19 * Math.sin((Math.PI * (index + 2)) / (steps + 3))
      if (index > 1)
        parts.push(
          svg('path', {
            class: tone,
            d: `${leafPath(next, angle - 62, size, 6.5)}${leafPath(next, angle + 62, size, 6.5)}`,
          }),
        )
      point = next
    }
    parts.push(svg('path', { class: tone, d: leafPath(point, lean * 1.5, 10, 6) }))
    return parts
  })
}

function cactus(): SVGElement[] {
  const ribs = [-16, 0, 16].map((x) => `M${SOIL.x + x} 206V${x === 0 ? 78 : 90}`).join('')
  const spines = [-24, -8, 8, 24].flatMap((x) =>
    [104, 126, 148, 170, 192].map((y) => `M${SOIL.x + x - 3} ${y}l6 -4m-6 0l6 4`),
  )
  return [
    svg('path', { class: 'leaf-c', d: 'M150 160h14q10 0 10-10v-26a12 12 0 0 1 24 0v32q0 24-24 24h-24z' }),
    svg('path', { class: 'leaf-b', d: 'M90 178H74q-22 0-22-22v-14a11 11 0 0 1 22 0v8q0 8 8 8h8z' }),
    svg('path', { class: 'leaf-a', d: 'M84 208V104a36 36 0 0 1 72 0v104z' }),
    svg('path', { class: 'leaf-shade', d: 'M128 69a36 36 0 0 1 28 35v104h-28z' }),
    svg('path', { class: 'vein', d: ribs }),
    svg('path', { class: 'spine', d: spines.join('') }),
    ...[-52, -26, 0, 26, 52].map((angle) =>
      svg('path', { class: 'bloom', d: leafPath({ x: 120, y: 72 }, angle, 26, 13, 0.5) }),
    ),
    svg('circle', { class: 'bloom-heart', cx: 120, cy: 68, r: 5 }),
  ]
}

function fig(): SVGElement[] {
  const top = { x: 122, y: 98 }
  const leaves: [number, number, number, string][] = [
    [0.1, -64, 58, 'leaf-c'],
    [0.2, 66, 60, 'leaf-c'],
    [0.36, -58, 62, 'leaf-b'],
    [0.48, 60, 62, 'leaf-b'],
    [0.64, -48, 60, 'leaf-a'],
    [0.76, 46, 56, 'leaf-a'],
    [0.92, -22, 52, 'leaf-b'],
    [0.98, 16, 54, 'leaf-a'],
  ]
  return [
    stem(SOIL, top, 7, 'stem thick'),
    ...leaves.map(([along, angle, length, tone]) => {
      const base = {
        x: SOIL.x + (top.x - SOIL.x) * along + 6 * Math.sin(Math.PI * along),
        y: SOIL.y + (top.y - SOIL.y) * along,
      }
      return leaf(base, angle, length, 34, tone, 0.5)
    }),
  ]
}
