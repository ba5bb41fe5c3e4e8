// Tests that changes of environments are logged together.

import { expect, test } from 'vitest'
import { createMemoryBus } from '../bus/memory.ts'
import { createLog } from '../lib/log.ts'
import { logChanges } from './log-changes.ts'

test('the parts of a change give one line; changes of several environments give their number', async () => {
  const lines: Record<string, unknown>[] = []
  const bus = createMemoryBus({ onListenerError: () => {} })
  logChanges(
    bus,
    createLog('info', (line) => lines.push(JSON.parse(line))),
    10,
  )
  for (let part = 0; part < 5; part++) bus.publish('environment-changed', { environmentId: 1 })
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ msg: 'keys or settings changed', environmentId: expect.stringMatching(/^env_/) })
  for (const environmentId of [1, 2, 3, 2]) bus.publish('environment-changed', { environmentId })
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ count: 3 })
})
