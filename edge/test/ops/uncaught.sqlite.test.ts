// Tests that an uncaught error ends the process and is logged like other errors, without values.
// SQLite alone: no store is opened.

import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'

const SCRIPT = `
import { createLog } from './edge/lib/log.ts'
import { runUntilSignal } from './edge/signals.ts'
const edge = { url: '', publicUrl: '', engine: '', demo: null, log: createLog('info'), async close() {} }
runUntilSignal(Promise.resolve(edge))
setTimeout(() => { throw new Error('no place for "4111 1111" of ' + process.env.SECRET) }, 10)
setTimeout(() => {}, 60_000)
`

test('an uncaught error is one line of the log without secrets, and the process ends with 1', async () => {
  const env = { ...process.env, SECRET: 'nc_sdk_eu_pKq9r8GKYqrTwjUPD8ILPZIo2LaLaSw0' }
  const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT]
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, args, { env, cwd: new URL('../../..', import.meta.url) }, (error, stdout, stderr) =>
      resolve({ code: error?.code, output: stdout + stderr }),
    )
  })
  expect(code).toBe(1)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(output)).toMatchObject({ level: 'error', msg: 'uncaught exception', error: { name: 'Error' } })
  expect(output).not.toMatch(/4111|LaLaSw0/)
})
