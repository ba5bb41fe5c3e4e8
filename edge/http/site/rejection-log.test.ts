// Tests that rejected requests are logged as numbers, not one by one.

import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createRejectionLog } from './rejection-log.ts'

test('the first rejection is logged at once, later ones as a number, errors of callers never', async () => {
  const lines: { level: string; code: string; count: number }[] = []
  const log = createLog('info', (line) => lines.push(JSON.parse(line)))
  const logRejection = createRejectionLog(log, 20)
  logRejection('event/invalid-name')
  for (let turn = 0; turn < 50; turn++) logRejection('service/unavailable')
  expect(lines).toMatchObject([{ level: 'warn', code: 'service/unavailable', count: 1 }])
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ code: 'service/unavailable', count: 49 })
  // After a period without rejections the next one is logged at once again.
  await expect
    .poll(() => {
      logRejection('request/rate-limited')
      return lines.map(({ code }) => code)
    })
    .toContain('request/rate-limited')
})
