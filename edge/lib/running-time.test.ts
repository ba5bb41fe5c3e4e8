// Tests that running time passes while the process runs, and hardly while it is blocked.

import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startRunningTime } from './running-time.ts'

test('a wait counts, a blocked loop does not', async () => {
  const time = startRunningTime(10)
  const from = time.now()
  for (let turn = 0; turn < 20; turn++) await setTimeout(5)
  const waitedMs = time.now() - from
  expect(waitedMs).toBeGreaterThan(50)
  const before = time.now()
  const until = performance.now() + 500
  while (performance.now() < until);
  expect(time.now() - before).toBeLessThanOrEqual(20)
  time.stop()
})
