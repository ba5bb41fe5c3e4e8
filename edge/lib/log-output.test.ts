// The output of the log on a disk that is full for a while, and to a reader that goes: lines are lost, the process is not.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'nc-log-output-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ROOT = new URL('../..', import.meta.url)
const BEGIN = `import { createLogOutput } from './edge/lib/log-output.ts'; const write = createLogOutput();`
const run = (script: string) => ['--import', 'tsx', '--input-type=module', '-e', BEGIN + script]

test('a reader that has gone is not missed', async () => {
  const script = `for (let n = 0; n < 50; n++) { write('line\\n'); await new Promise((go) => setTimeout(go, 2)) } process.stderr.write('alive')`
  const child = spawn(process.execPath, run(script), { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  expect({ code, err }).toEqual({ code: 0, err: 'alive' })
})

test.skipIf(!existsSync('/dev/full'))('a disk that takes nothing is not waited for', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, run(`write('line\\n'); setTimeout(() => process.exit(7), 20)`), {
    cwd: ROOT,
    stdio: ['ignore', full, 'inherit'],
  })
  const [code] = await once(child, 'close')
  closeSync(full)
  expect(code).toBe(7)
})

test('a file that is full for a while has whole lines behind it, and how many were lost', async () => {
  const file = join(folder, 'log')
  // The shell bounds the size of the file; what goes beyond fails as on a full disk. It is cut then, as a log that is rotated. (A cache of sources would be cut short too.)
  const script = `
import { truncateSync } from 'node:fs'
process.on('SIGXFSZ', () => {})
for (let n = 0; n < 400; n++) write(JSON.stringify({ n }) + '\\n')
truncateSync(${JSON.stringify(file)}, 0)
write('{"n":"last"}\\n')`
  const command = `ulimit -f 2; exec "$0" "$@" >> ${JSON.stringify(file)}`
  await promisify(execFile)('bash', ['-c', command, process.execPath, ...run(script)], {
    cwd: ROOT,
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
  })
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const told = lines.map((line) => JSON.parse(line))
  expect(told.at(-1)).toEqual({ n: 'last' })
  expect(told.at(-2)).toMatchObject({ level: 'warn', msg: 'lines of the log were lost', count: expect.any(Number) })
  expect(told.at(-2).count).toBeGreaterThan(0)
})
