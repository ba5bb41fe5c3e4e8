// Tests that tenants share the time of a queue, whatever the number and the length of their tasks.

import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('the tenant that used the fewest milliseconds is next', () => {
  const queue = createFairQueue<number>()
  for (let at = 0; at < 100; at++) queue.push(1, 50)
  for (let at = 0; at < 100; at++) queue.push(2, 5)
  const used = { 1: 0, 2: 0 } as Record<number, number>
  for (let turn = 0; turn < 60; turn++) {
    for (const { tenantId, task } of queue.take(1, 0)) {
      used[tenantId] = (used[tenantId] ?? 0) + task
      queue.record(tenantId, task)
    }
  }
  expect(Math.abs((used[1] ?? 0) - (used[2] ?? 0))).toBeLessThanOrEqual(55)
})

test('a tenant that was idle does not save up time', () => {
  const queue = createFairQueue<number>()
  for (let at = 0; at < 50; at++) queue.push(1, at)
  for (let at = 0; at < 20; at++) for (const { tenantId } of queue.take(1, 0)) queue.record(tenantId, 10)
  for (let at = 0; at < 50; at++) queue.push(2, at)
  const turns = Array.from({ length: 10 }, () => {
    const [first] = queue.take(1, 0)
    queue.record(first?.tenantId ?? 0, 10)
    return first?.tenantId
  })
  expect(turns.filter((tenantId) => tenantId === 1).length).toBeGreaterThanOrEqual(4)
})

test('tasks of a tenant keep their order, also those that are put back', () => {
  const queue = createFairQueue<number>()
  for (const task of [1, 2, 3]) queue.push(1, task)
  const taken = queue.take(2, 100).map(({ task }) => task)
  for (const task of taken.toReversed()) queue.putBack(1, task)
  expect(queue.take(10, 100).map(({ task }) => task)).toEqual([1, 2, 3])
  expect(queue.size()).toBe(0)
})

test('a batch ends with its time', () => {
  const queue = createFairQueue<string>()
  queue.push(1, 'slow')
  for (let at = 0; at < 20; at++) queue.record(1, 100)
  queue.push(1, 'slow')
  queue.push(2, 'quick')
  expect(queue.take(10, 20).map(({ task }) => task)).toEqual(['quick', 'slow'])
  expect(queue.backlogMs(1)).toBeGreaterThan(50)
})
