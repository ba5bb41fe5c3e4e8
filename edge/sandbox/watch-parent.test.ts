// Tests that a sandbox ends soon after its server was killed, in the middle of a task.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startProcess, threadUrl } from '../lib/thread.ts'

/** An ended process keeps its number until its new parent has asked for its status. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

test('a sandbox that is busy ends after its parent was killed', async () => {
  const parent = startProcess(threadUrl(import.meta.url, 'test/parent-process'), [])
  const [pid] = (await once(parent, 'message')) as [number]
  try {
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await expect.poll(() => isRunning(pid)).toBe(false)
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
})
