// Places by heights that are measured one by one, against adding them up.

import { expect, test } from 'vitest'
import { createRowHeights } from './row-heights.ts'

test('every row stands below those before it, whatever was measured in whatever order', () => {
  let seed = 11
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  let ids = Array.from({ length: 300 }, (_, at) => `m${at}`)
  const heights = createRowHeights()
  const measured = new Map<string, number>()
  heights.take(ids)
  for (let turn = 0; turn < 400; turn++) {
    const index = random(ids.length)
    const height = 40 + random(200)
    heights.measure(index, height)
    measured.set(ids[index] as string, height)
    if (turn % 50 === 0) {
      ids = [`new${turn}`, ...ids.filter(() => random(20) > 0)]
      heights.take(ids)
    }
    const known = ids.filter((id) => measured.has(id))
    const guesses = ids.length - known.length
    const sum = known.reduce((total, id) => total + (measured.get(id) ?? 0), 0)
    const guess = guesses === 0 ? 0 : (heights.top(ids.length) - sum) / guesses
    let top = 0
    const wrong: number[] = []
    for (const [at, id] of ids.entries()) {
      if (Math.abs(heights.top(at) - top) > 0.001 || heights.at(top + 1) !== at) wrong.push(at)
      top += measured.get(id) ?? guess
    }
    expect(wrong, `turn ${turn}`).toEqual([])
  }
})

test('a height that is known is no news, and what has left the list is forgotten', () => {
  const heights = createRowHeights()
  heights.take(['a', 'b', 'c'])
  expect(heights.measure(1, 70)).toBe(true)
  expect(heights.measure(1, 70.05)).toBe(false)
  expect(heights.measure(9, 70)).toBe(false)
  heights.measure(0, 50)
  heights.measure(2, 60)
  heights.take(['b'])
  expect(heights.top(1)).toBe(70)
  heights.take(['a'])
  expect(heights.top(1)).not.toBe(50)
})

test('above the first and below the last, there is the nearest', () => {
  const heights = createRowHeights()
  expect(heights.at(5)).toBe(0)
  expect(heights.top(3)).toBe(0)
  heights.take(['a', 'b'])
  expect(heights.at(-100)).toBe(0)
  expect(heights.at(1e9)).toBe(1)
})
