// Runs as a server that starts a sandbox with a task that takes a minute, and reports its process once it is in the task.

import { startProcess, threadUrl } from '../../lib/thread.ts'
import type { SandboxMessage, SentTask } from '../tasks.ts'
import type { LaneTask } from './lane-process.ts'

const input: LaneTask = { first: 'spin' }
const task: SentTask = {
  does: 'holds',
  input: { condition: JSON.stringify(input), scopes: [] },
  now: 0,
  refused: [],
  isTraced: true,
}
const sandbox = startProcess(threadUrl(import.meta.url, 'lane-process'), [])
sandbox.on('message', (message: SandboxMessage) => {
  if ('at' in message) process.send?.(sandbox.pid)
})
sandbox.send([task])
