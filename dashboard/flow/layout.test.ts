// Tests that random campaigns are placed with all their steps, in order, without overlaps, and with lines that follow the runs.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../edge/test/support/processor-time.ts'
import { type FlowItem, layoutFlow, pathOf, type Sizes } from './layout.ts'
import { END, type FlowStep, readFlow, TRIGGER, wayId } from './tree.ts'

const SIZES: Sizes = { nodeWidth: 200, nodeHeight: 80, wayHeight: 30, endHeight: 30, gapX: 20, gapY: 40 }
const PLAIN = ['inbox', 'email', 'delay', 'digest', 'throttle', 'enrich', 'exit'] as const

interface Written {
  type: string
  branches?: { key: string; else?: true; weight?: number; when?: string; steps: Written[] }[]
  then?: Written[]
  onTimeout?: Written[]
  id?: string
}

/** Definitions of any shape that the API takes; ids are given afterwards. */
const steps = (depth: number, least: number): fc.Arbitrary<Written[]> => {
  const plain: fc.Arbitrary<Written> = fc.constantFrom(...PLAIN).map((type) => ({ type }))
  if (depth === 0) return fc.array(plain, { minLength: least, maxLength: 4 })
  const inner = steps(depth - 1, 0)
  const way = fc.oneof(
    fc.record({ when: fc.constant('event.properties.total > 1'), steps: inner }),
    fc.record({ weight: fc.integer({ min: 1, max: 9 }), steps: inner }),
    fc.record({ else: fc.constant(true as const), steps: inner }),
  )
  const branch = fc
    .array(way, { minLength: 1, maxLength: 4 })
    .map((ways): Written => ({ type: 'branch', branches: ways.map((one, at) => ({ key: `way${at}`, ...one })) }))
  const wait = fc.record({ then: inner, onTimeout: inner }).map((lists): Written => ({ type: 'waitFor', ...lists }))
  return fc.array(fc.oneof({ weight: 3, arbitrary: plain }, branch, wait), { minLength: least, maxLength: 4 })
}

function named(list: Written[], next: { no: number }): Written[] {
  for (const step of list) {
    step.id = `s${next.no++}`
    for (const inner of innerOf(step)) named(inner, next)
  }
  return list
}

const innerOf = ({ branches = [], then, onTimeout }: Written): Written[][] => [
  ...branches.map((branch) => branch.steps),
  ...[then, onTimeout].filter((list) => list !== undefined),
]

const definitions = steps(4, 1).map((list) => ({
  trigger: { event: 'order.paid' },
  steps: named(structuredClone(list), { no: 1 }),
}))

/** The ids of steps and ways as they are written, depth first. */
const idsOf = (list: readonly FlowStep[]): string[] =>
  list.flatMap((step) => [step.id, ...step.ways.flatMap((way) => [wayId(step.id, way.key), ...idsOf(way.steps)])])

const overlap = (one: FlowItem, other: FlowItem): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

test('all steps and ways are placed once, in their order, and no two boxes overlap', () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      const flow = readFlow(definition)
      const { items, width, height } = layoutFlow(flow, SIZES)
      expect(items.map(({ id }) => id)).toEqual([TRIGGER, ...idsOf(flow.steps), END])
      for (const [at, item] of items.entries()) {
        expect(items.slice(at + 1).find((other) => overlap(item, other))).toBeUndefined()
        expect(item.x >= 0 && item.x + item.width <= width && item.y + item.height <= height, item.id).toBe(true)
      }
    }),
  )
})

test('steps of a list are below each other on one axis, ways side by side on one line, both within their parent', () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      const { items } = layoutFlow(readFlow(definition), SIZES)
      for (const parent of new Set(items.map((item) => item.parent))) {
        const children = items.filter((item) => item.parent === parent)
        const isWays = children[0]?.kind === 'way'
        expect(children.map(({ position }) => position)).toEqual(children.map((_, at) => at + 1))
        expect(new Set(children.map(({ siblings }) => siblings))).toEqual(new Set([children.length]))
        const over = items.find(({ id }) => id === parent)
        for (const [at, child] of children.entries()) {
          if (over !== undefined) expect(child.level).toBe(over.level + 1)
          if (over !== undefined) expect(child.y).toBeGreaterThanOrEqual(over.y + over.height + SIZES.gapY)
          const before = children[at - 1]
          if (before === undefined) continue
          if (isWays) {
            expect(child.y).toBe(before.y)
            expect(child.x).toBeGreaterThanOrEqual(before.x + before.width + SIZES.gapX)
          } else {
            expect(child.x).toBe(before.x)
            expect(child.y).toBeGreaterThanOrEqual(before.y + before.height + SIZES.gapY)
          }
        }
      }
    }),
  )
})

test('a line leads to each box that a run can come to, and none crosses a box', () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      const { items, lines } = layoutFlow(readFlow(definition), SIZES)
      const ids = new Set(items.map(({ id }) => id))
      for (const { from, to, points } of lines) {
        expect(ids.has(from) && ids.has(to)).toBe(true)
        for (const [at, [x, y]] of points.entries()) {
          const before = points[at - 1]
          if (before === undefined) continue
          const [left, right] = [Math.min(x, before[0]), Math.max(x, before[0])]
          const [top, bottom] = [Math.min(y, before[1]), Math.max(y, before[1])]
          const crossed = items.find(
            (item) => left < item.x + item.width && item.x < right + 1 && top < item.y + item.height && item.y < bottom,
          )
          expect(crossed?.id, `${from} to ${to}`).toBeUndefined()
        }
      }
      const isAfterExit = (item: FlowItem): boolean =>
        items.some((one) => one.parent === item.parent && one.position < item.position && endsRun(one))
      const endsRun = ({ step, kind }: FlowItem): boolean => kind === 'step' && step !== undefined && ends(step)
      const reached = new Set(lines.map(({ to }) => to))
      for (const item of items)
        if (item.id !== TRIGGER && !isAfterExit(item)) expect(reached.has(item.id), item.id).toBe(true)
    }),
  )
})

const ends = ({ type, ways }: FlowStep): boolean =>
  type === 'exit' || (ways.length > 0 && ways.every((way) => way.steps.some(ends)))

test('there is a gap before, between and after the steps of each list', () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      const flow = readFlow(definition)
      const { gaps, items } = layoutFlow(flow, SIZES)
      const lists = new Map([[undefined as string | undefined, flow.steps.length]])
      for (const { kind, id, way } of items) if (kind === 'way') lists.set(id, way?.steps.length ?? 0)
      for (const [parent, count] of lists) {
        const own = gaps.filter((gap) => gap.parent === parent)
        expect(own.map(({ index }) => index)).toEqual(Array.from({ length: count + 1 }, (_, at) => at))
        for (const { x, y } of own) {
          const on = items.find(
            (item) => x > item.x && x < item.x + item.width && y > item.y && y < item.y + item.height,
          )
          expect(on?.id).toBeUndefined()
        }
      }
    }),
  )
})

test('200 steps on 8 levels are placed within 50 ms', async () => {
  let list: Written[] = [{ type: 'inbox' }]
  for (let depth = 0; depth < 8; depth++) {
    const branches = [0, 1].map((at) => ({ key: `b${at}`, weight: 1, steps: at === 0 ? list : [{ type: 'email' }] }))
    list = [...Array.from({ length: 22 }, () => ({ type: 'inbox' })), { type: 'branch', branches }]
  }
  const flow = readFlow({ steps: named(list, { no: 0 }) })
  let items: ReturnType<typeof layoutFlow>['items'] = []
  const ms = await processorMs(() => {
    items = layoutFlow(flow, SIZES).items
  })
  expect(ms).toBeLessThan(50)
  expect(items.filter(({ kind }) => kind === 'step').length).toBe(193)
})

test('a line turns with round corners, and a straight one has none', () => {
  expect(
    pathOf({
      from: 'a',
      to: 'b',
      points: [
        [5, 0],
        [5, 40],
      ],
    }),
  ).toBe('M5 0L5 40')
  expect(
    pathOf({
      from: 'a',
      to: 'b',
      points: [
        [0, 0],
        [0, 20],
        [50, 20],
        [50, 40],
      ],
    }),
  ).toBe('M0 0L0 10Q0 20 10 20L40 20Q50 20 50 30L50 40')
})
