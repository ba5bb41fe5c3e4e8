// Tests the size of batches by the number of active environments and the speed of the writer.

import { expect, test } from 'vitest'
import { createAdaptiveBatchSize } from './adaptive-batch-size.ts'

test('one environment alone fills its batches', () => {
  const batchSize = createAdaptiveBatchSize()
  for (let at = 0; at < 100; at++) batchSize.recordPlan(1, at)
  batchSize.recordBatch(1000, 200)
  expect(batchSize.maxUnits(1000, 100)).toBe(1000)
})

test('while two environments write, a batch holds what the writer commits in 30 ms, and one second later no longer', () => {
  const batchSize = createAdaptiveBatchSize()
  batchSize.recordPlan(1, 0)
  batchSize.recordBatch(1000, 100)
  batchSize.recordPlan(2, 10)
  expect(batchSize.maxUnits(1000, 10)).toBe(300)
  expect(batchSize.maxUnits(1000, 1010)).toBe(300)
  expect(batchSize.maxUnits(1000, 1011)).toBe(1000)
})

test('the size follows the speed of the writer, and stays within its limits', () => {
  const batchSize = createAdaptiveBatchSize()
  const size = () => batchSize.maxUnits(1000, 0)
  batchSize.recordPlan(1, 0)
  batchSize.recordPlan(2, 0)
  expect(size()).toBe(1000)
  for (let n = 0; n < 50; n++) batchSize.recordBatch(200, 200)
  expect(size()).toBe(200)
  for (let n = 0; n < 50; n++) batchSize.recordBatch(1000, 5)
  expect(size()).toBe(1000)
  // Small batches do not show the cost of a plan.
  batchSize.recordBatch(199, 5000)
  expect(size()).toBe(1000)
})
