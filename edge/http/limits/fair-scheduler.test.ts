// Checks the turns on the event loop: one batch at a time, environments alternate, small batches share a turn.

import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairScheduler } from './fair-scheduler.ts'

/** Asks for turns of (environment, events); answers who began in which turn of the loop. */
async function begun(asked: [number, number][]): Promise<number[][]> {
  const scheduler = createFairScheduler()
  const order: number[][] = []
  let current: number[] = []
  let left = asked.length
  const note = (environmentId: number) => {
    current.push(environmentId)
    left--
  }
  for (const [environmentId, events] of asked) {
    const turn = scheduler.waitTurn(environmentId, events)
    if (turn === undefined) note(environmentId)
    else turn.then(() => note(environmentId))
  }
  while (left > 0) {
    order.push(current)
    current = []
    await turnOfLoop()
  }
  return [...order, current].filter((turn) => turn.length > 0)
}

test('who comes alone begins at once, the next one a turn later', async () => {
  expect(await begun([[1, 100]])).toEqual([[1]])
  expect(
    await begun([
      [1, 100],
      [1, 100],
      [1, 100],
    ]),
  ).toEqual([[1], [1], [1]])
})

test('environments alternate, whoever came first', async () => {
  const asked: [number, number][] = [...Array.from({ length: 5 }, (): [number, number] => [1, 100]), [2, 100], [3, 100]]
  expect((await begun(asked)).flat()).toEqual([1, 1, 2, 3, 1, 1, 1])
})

test('small ones share a turn, a large one has its own', async () => {
  expect(
    await begun([
      [1, 40],
      [2, 40],
      [3, 40],
      [4, 1000],
      [5, 10],
    ]),
  ).toEqual([[1, 2], [3, 4], [5]])
})

test('after a rest the next one begins at once again', async () => {
  const scheduler = createFairScheduler()
  expect(scheduler.waitTurn(1, 100)).toBeUndefined()
  await turnOfLoop()
  await turnOfLoop()
  expect(scheduler.waitTurn(1, 100)).toBeUndefined()
})
