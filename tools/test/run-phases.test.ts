// Tests that phases share the machine by their slots and are reported in order.

import { expect, test } from 'vitest'
import { runPhases, SLOTS } from './run-phases.ts'

/** Runs phases with these slots; the test ends each. */
function givenPhases(...slots: number[]) {
  const phases = slots.map((count, number) => ({ number, slots: count }))
  const begun: number[] = []
  const told: string[] = []
  const ends = new Map<number, () => void>()
  const all = runPhases(
    phases,
    ({ number }) => {
      begun.push(number)
      return new Promise<string>((resolve) => ends.set(number, () => resolve(`end of ${number}`)))
    },
    (_, result) => told.push(result),
  )
  const end = async (number: number) => {
    ends.get(number)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { all, begun, told, end }
}

test('as many run beside each other as there are slots, the next one waits', async () => {
  const { all, begun, told, end } = givenPhases(1, 1, 1, 1)
  expect(begun).toEqual([0, 1, 2])
  await end(1)
  expect(begun).toEqual([0, 1, 2, 3])
  expect(told).toEqual([])
  await end(0)
  expect(told).toEqual(['end of 0', 'end of 1'])
  await end(2)
  await end(3)
  await all
  expect(told).toHaveLength(4)
})

test('what takes all slots runs alone, and nothing overtakes it', async () => {
  const { all, begun, end } = givenPhases(1, SLOTS, 1)
  expect(begun).toEqual([0])
  await end(0)
  expect(begun).toEqual([0, 1])
  await end(1)
  expect(begun).toEqual([0, 1, 2])
  await end(2)
  await all
})

test('a run that throws is not swallowed', async () => {
  const failing = runPhases(
    [{ slots: 1 }],
    () => Promise.reject(new Error('no')),
    () => {},
  )
  await expect(failing).rejects.toThrow('no')
})
