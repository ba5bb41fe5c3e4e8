// Checks that rejected requests are logged as numbers, not one by one.

import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createRejectionLog } from './rejection-log.ts'

test('the first is told at once, the rest as a number, and faults of callers not at all', async () => {
  const lines: { level: string; code: string; count: number }[] = []
  const log = createLog('info', (line) => lines.push(JSON.parse(line)))
  const tell = createRejectionLog(log, 20)
  tell('event/invalid-name')
  for (let turn = 0; turn < 50; turn++) tell('service/unavailable')
  expect(lines).toMatchObject([{ level: 'warn', code: 'service/unavailable', count: 1 }])
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ code: 'service/unavailable', count: 49 })
  // Quiet since, so the next one is told at once again.
  await expect
    .poll(() => {
      tell('request/rate-limited')
      return lines.map(({ code }) => code)
    })
    .toContain('request/rate-limited')
})
