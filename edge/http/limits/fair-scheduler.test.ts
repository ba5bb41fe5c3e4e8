// Tests the turns on the event loop: one batch at a time, environments alternate, small batches share a turn.

import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairScheduler } from './fair-scheduler.ts'

/** Requests turns for [environment, events]. @returns The environments that began in each turn of the event loop. */
async function runTurns(requests: [number, number][]): Promise<number[][]> {
  const scheduler = createFairScheduler()
  const order: number[][] = []
  let current: number[] = []
  let left = requests.length
  const record = (environmentId: number) => {
    current.push(environmentId)
    left--
  }
  for (const [environmentId, events] of requests) {
    const turn = scheduler.waitTurn(environmentId, events)
    if (turn === undefined) record(environmentId)
    else turn.then(() => record(environmentId))
  }
  while (left > 0) {
    order.push(current)
    current = []
    await turnOfLoop()
  }
  return [...order, current].filter((turn) => turn.length > 0)
}

test('a single batch begins at once, the next one a turn later', async () => {
  expect(await runTurns([[1, 100]])).toEqual([[1]])
  expect(
    await runTurns([
      [1, 100],
      [1, 100],
      [1, 100],
    ]),
  ).toEqual([[1], [1], [1]])
})

test('environments alternate, even if one has more batches', async () => {
  const requests: [number, number][] = [
    ...Array.from({ length: 5 }, (): [number, number] => [1, 100]),
    [2, 100],
    [3, 100],
  ]
  expect((await runTurns(requests)).flat()).toEqual([1, 1, 2, 3, 1, 1, 1])
})

test('small batches share a turn, a large batch has its own', async () => {
  expect(
    await runTurns([
      [1, 40],
      [2, 40],
      [3, 40],
      [4, 1000],
      [5, 10],
    ]),
  ).toEqual([[1, 2], [3, 4], [5]])
})

test('after an idle turn the next batch begins at once again', async () => {
  const scheduler = createFairScheduler()
  expect(scheduler.waitTurn(1, 100)).toBeUndefined()
  await turnOfLoop()
  await turnOfLoop()
  expect(scheduler.waitTurn(1, 100)).toBeUndefined()
})
