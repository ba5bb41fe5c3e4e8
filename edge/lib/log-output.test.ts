// Tests that a full disk or a closed reader loses log lines, but never ends the process.

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

test('a closed reader does not end the process', async () => {
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

test.skipIf(!existsSync('/dev/full'))('a full disk does not block the process', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, run(`write('line\\n'); setTimeout(() => process.exit(7), 20)`), {
    cwd: ROOT,
    stdio: ['ignore', full, 'inherit'],
  })
  const [code] = await once(child, 'close')
  closeSync(full)
  expect(code).toBe(7)
})

test('after a full disk the file has whole lines again, and the number of lost ones', async () => {
  const file = join(folder, 'log')
  // The shell limits the file size: writes beyond it fail as on a full disk. Then the file is truncated, as by log rotation.
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
  const parsed = lines.map((line) => JSON.parse(line))
  expect(parsed.at(-1)).toEqual({ n: 'last' })
  expect(parsed.at(-2)).toMatchObject({ level: 'warn', msg: 'lines of the log were lost', count: expect.any(Number) })
  expect(parsed.at(-2).count).toBeGreaterThan(0)
})
