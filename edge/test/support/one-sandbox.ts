// Provides one sandbox to all tests of a process: it keeps nothing of a task, and its start takes longer than a test.

import { createLog } from '../../lib/log.ts'
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts'

let one: Sandbox | undefined

/** Its processes end with this one. */
export function oneSandbox(): Sandbox {
  one ??= createSandbox({ log: createLog('silent') })
  return one
}
