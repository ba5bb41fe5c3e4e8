// Tests that no environment takes the slots of others, however many mails with files it has.

import { expect, test } from 'vitest'
import { createFileSlots } from './file-slots.ts'

function given() {
  const slots = createFileSlots()
  const begun: number[] = []
  const ends: { environmentId: number; end: () => void }[] = []
  /** @returns false when too many wait */
  const add = (environmentId: number) =>
    slots.run(environmentId, () => {
      begun.push(environmentId)
      return new Promise<void>((end) => ends.push({ environmentId, end }))
    }) !== undefined
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  async function end(environmentId: number) {
    const at = ends.findIndex((one) => one.environmentId === environmentId)
    ends.splice(at, 1)[0]?.end()
    await tick()
  }
  const count = (environmentId: number) => ends.filter((one) => one.environmentId === environmentId).length
  return { add, begun, end, tick, count }
}

test('each environment leaves slots free for others', async () => {
  const { add, tick, count } = given()
  for (const environmentId of [1, 2, 3, 4]) {
    for (let mail = 0; mail < 10; mail++) add(environmentId)
    await tick()
  }
  expect([1, 2, 3, 4].map(count)).toEqual([4, 2, 1, 1])
})

test('a free slot goes to the environment that has the fewest', async () => {
  const { add, begun, end, tick, count } = given()
  for (let mail = 0; mail < 10; mail++) add(1)
  for (let mail = 0; mail < 10; mail++) add(2)
  await tick()
  await end(1)
  expect(begun.at(-1)).toBe(2)
  for (let turn = 0; turn < 3; turn++) await end(1)
  expect(Math.abs(count(1) - count(2))).toBeLessThanOrEqual(1)
})

test('an environment has a bounded number of mails that wait, and all of them come to their turn', async () => {
  const { add, begun, end, tick } = given()
  const taken = Array.from({ length: 20 }, () => add(1))
  expect(taken.filter(Boolean)).toHaveLength(12)
  expect(add(2)).toBe(true)
  await tick()
  for (let turn = 0; turn < 12; turn++) await end(1)
  expect(begun.filter((one) => one === 1)).toHaveLength(12)
  expect(add(1)).toBe(true)
})
