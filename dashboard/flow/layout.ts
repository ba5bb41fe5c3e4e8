// Places the steps of a campaign: from top to bottom, the ways of a step side by side, each way centred over its steps.

import { END, endsIn, type Flow, type FlowStep, type FlowWay, TRIGGER, wayId } from './tree.ts'

export interface Sizes {
  nodeWidth: number
  nodeHeight: number
  wayHeight: number
  endHeight: number
  /** Between two nodes, one below the other. */
  gapY: number
  /** Between two ways. */
  gapX: number
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** What is drawn as a box, and is an item of the tree. */
export interface FlowItem extends Box {
  id: string
  kind: 'trigger' | 'step' | 'way' | 'end'
  /** From 1. */
  level: number
  /** The step of the way, or the way of the step; undefined at the top. */
  parent: string | undefined
  /** The place among the items of the same parent, from 1. */
  position: number
  siblings: number
  /** Of a step, and of a way the step that has it. */
  step?: FlowStep
  way?: FlowWay
}

/** A line. Below its last way, the id of a step stands for where its ways meet again. */
export interface FlowLine {
  from: string
  to: string
  points: readonly (readonly [x: number, y: number])[]
}

/** A place between two steps, or at an end of a list of steps. */
export interface FlowGap {
  /** The way that has the list; undefined at the top. */
  parent: string | undefined
  /** Where in the list a step would come. */
  index: number
  x: number
  y: number
}

export interface FlowLayout {
  width: number
  height: number
  /** In the order of the tree: depth first. */
  items: FlowItem[]
  lines: FlowLine[]
  gaps: FlowGap[]
}

/** Where a line comes from. */
interface Out {
  from: string
  x: number
  y: number
}

export function layoutFlow(flow: Flow, sizes: Sizes): FlowLayout {
  const { nodeWidth, nodeHeight, wayHeight, endHeight, gapX, gapY } = sizes
  const items: FlowItem[] = []
  const lines: FlowLine[] = []
  const gaps: FlowGap[] = []
  /** Half of a gap: from a node to the line that its ways leave or meet. */
  const half = gapY / 2

  const widths = new Map<FlowStep, number>()
  const widthOf = (steps: readonly FlowStep[]): number => Math.max(nodeWidth, ...steps.map(stepWidth))
  function stepWidth(step: FlowStep): number {
    const known = widths.get(step)
    if (known !== undefined) return known
    const ways = step.ways.reduce((sum, way) => sum + widthOf(way.steps) + gapX, -gapX)
    const width = Math.max(nodeWidth, ways)
    widths.set(step, width)
    return width
  }

  function addItem(x: number, y: number, height: number, item: Omit<FlowItem, keyof Box>): Out {
    items.push({ ...item, x: x - nodeWidth / 2, y, width: nodeWidth, height })
    return { from: item.id, x, y: y + height }
  }

  function addLine({ from, x, y }: Out, to: string, toX: number, toY: number, turnY: number): void {
    const bend =
      x === toX
        ? []
        : ([
            [x, turnY],
            [toX, turnY],
          ] as const)
    lines.push({ from, to, points: [[x, y], ...bend, [toX, toY]] })
  }

  /** Places a list whose axis is `x`. @returns Where it is left, or where it ends. */
  function placeList(
    steps: readonly FlowStep[],
    {
      above,
      parent,
      level,
      before,
      after,
    }: {
      above: Out
      parent: string | undefined
      level: number
      /** Items of the parent before and after these steps. */
      before: number
      after: number
    },
  ): Out & { isOpen: boolean } {
    let out: Out & { isOpen: boolean } = { ...above, isOpen: true }
    const siblings = before + steps.length + after
    for (const [index, step] of steps.entries()) {
      const { x } = out
      const y = out.y + gapY
      gaps.push({ parent, index, x, y: out.y + half })
      if (out.isOpen) addLine(out, step.id, x, y, y)
      const position = before + index + 1
      const below = addItem(x, y, nodeHeight, { id: step.id, kind: 'step', level, parent, position, siblings, step })
      out = step.ways.length === 0 ? { ...below, isOpen: step.type !== 'exit' } : placeWays(step, below, level + 1)
    }
    gaps.push({ parent, index: steps.length, x: out.x, y: out.y + half })
    return out
  }

  function placeWays(step: FlowStep, above: Out, level: number): Out & { isOpen: boolean } {
    const top = above.y + gapY
    let left = above.x - step.ways.reduce((sum, way) => sum + widthOf(way.steps) + gapX, -gapX) / 2
    const outs = step.ways.map((way, at) => {
      const width = widthOf(way.steps)
      const x = left + width / 2
      left += width + gapX
      const id = wayId(step.id, way.key)
      addLine(above, id, x, top, top - half)
      const place = { level, parent: step.id, position: at + 1, siblings: step.ways.length }
      const below = addItem(x, top, wayHeight, { id, kind: 'way', ...place, step, way })
      const inside = { above: below, parent: id, level: level + 1, before: 0, after: 0 }
      return { id, out: placeList(way.steps, inside), isOpen: !endsIn(way.steps) }
    })
    const meetY = Math.max(...outs.map(({ out }) => out.y)) + half
    const open = outs.filter(({ isOpen }) => isOpen)
    for (const { id, out } of open) addLine({ ...out, from: id }, step.id, above.x, meetY, meetY)
    return { from: step.id, x: above.x, y: meetY, isOpen: open.length > 0 }
  }

  const width = widthOf(flow.steps)
  const place = { level: 1, parent: undefined, siblings: flow.steps.length + 2 }
  const above = addItem(width / 2, 0, nodeHeight, { id: TRIGGER, kind: 'trigger', position: 1, ...place })
  const out = placeList(flow.steps, { above, parent: undefined, level: 1, before: 1, after: 1 })
  const endY = out.y + gapY
  if (!endsIn(flow.steps)) addLine(out, END, out.x, endY, endY)
  addItem(out.x, endY, endHeight, { id: END, kind: 'end', position: place.siblings, ...place })
  return { width, height: endY + endHeight, items, lines, gaps }
}

/** @returns The line as the path of an SVG, with round corners. */
export function pathOf({ points }: FlowLine, radius = 10): string {
  return points
    .map(([x, y], at) => {
      const [before, after] = [points[at - 1], points[at + 1]]
      if (before === undefined) return `M${x} ${y}`
      if (after === undefined) return `L${x} ${y}`
      const [inX, inY] = towards([x, y], before, radius)
      const [outX, outY] = towards([x, y], after, radius)
      return `L${inX} ${inY}Q${x} ${y} ${outX} ${outY}`
    })
    .join('')
}

/** @returns The point on the way from one to the other, at most half of it. */
function towards(from: readonly [number, number], to: readonly [number, number], by: number): [number, number] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy)
  const part = length === 0 ? 0 : Math.min(by, length / 2) / length
  return [from[0] + dx * part, from[1] + dy * part]
}
