// Tests that work which waits for long is logged, again every ten minutes, and when it waits no more.

import { expect, test } from 'vitest'
import { createLog } from '../lib/log.ts'
import { createWatchWaiting } from './watch-waiting.ts'

test('mails that wait for more than a minute are logged with number, age and the last error', async () => {
  const lines: Record<string, unknown>[] = []
  const nothing = { count: 0, oldestMs: 0, error: null }
  let mail: { count: number; oldestMs: number; error: string | null } = { ...nothing, count: 20, oldestMs: 59_000 }
  let now = 0
  const watch = createWatchWaiting({
    waitings: { read: async () => ({ run: nothing, job: nothing, mail }) },
    clock: { now: () => now },
    log: createLog('info', (line) => lines.push(JSON.parse(line))),
  })
  await watch()
  expect(lines).toEqual([])
  mail = { count: 20, oldestMs: 61_000, error: 'The mail server could not be reached.' }
  for (now = 60_000; now < 600_000; now += 60_000) await watch()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    ...{ level: 'warn', msg: 'work waits', kind: 'mail', count: 20, durationMs: 61_000 },
    reason: 'The mail server could not be reached.',
  })
  now = 660_000
  await watch()
  expect(lines).toHaveLength(2)
  mail = nothing
  await watch()
  await watch()
  expect(lines.slice(2)).toMatchObject([{ level: 'info', msg: 'work does not wait any more', kind: 'mail' }])
})
