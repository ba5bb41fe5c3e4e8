// Tests that `npm start` and `npm run cluster` drain on a signal and leave no process.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '../../../tools/servers/server-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Runs a test that reads /proc. */
const onLinux = test.skipIf(process.platform !== 'linux')

let folder: string
let npm: ChildProcess
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nc-npm-'))
  // Accessible to PostgreSQL's user, because PostgreSQL refuses root.
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  for (const { pid } of findDescendants()) process.kill(pid, 'SIGKILL')
  await expect.poll(findDescendants).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

/** Returns all descendants of npm, found by the folder in their arguments or environment. */
function findDescendants(): { pid: number; command: string }[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim()
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'cmdline').includes(folder) || read(pid, 'environ').includes(folder))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline') }))
}

/** @returns a function that returns the output so far */
async function spawnNpm(args: string[], cwd: string): Promise<() => string> {
  const port = String(await findFreePort())
  const env = { PATH: process.env.PATH ?? '', HOME: folder, DATA_DIR: folder, PORT: port, SEED_DEMO: 'plain' }
  npm = spawn('npm', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return () => output
}

/** Resolves when the output names the demo's address. @returns a function that returns the output so far */
async function startNpm(args: string[]): Promise<() => string> {
  const output = await spawnNpm(args, ROOT)
  await expect.poll(output, { timeout: 150_000, interval: 50 }).toMatch(/ {2}Demo {3}http/)
  return output
}

const SIGNALS = ['SIGTERM to npm alone', 'Ctrl-C to the whole process group'] as const

/** Ends npm in the given way. @returns its exit status */
async function end(signal: (typeof SIGNALS)[number]): Promise<unknown> {
  const closed = once(npm, 'close')
  if (signal === 'SIGTERM to npm alone') npm.kill('SIGTERM')
  else process.kill(-(npm.pid as number), 'SIGINT')
  const [status] = await closed
  return status
}

onLinux.each(SIGNALS)('npm start, %s: the server drains, ends with 0, and leaves no process', async (signal) => {
  const output = await startNpm(['start'])
  expect(findDescendants()).not.toEqual([])
  expect(await end(signal)).toBe(0)
  expect(output()).toContain('"msg":"draining"')
  expect(output()).not.toContain('shutdown failed')
  expect(findDescendants()).toEqual([])
})

onLinux.each(SIGNALS)(
  'npm run cluster, %s: nodes, proxy and databases end in order, and leave no process',
  async (signal) => {
    const output = await startNpm(['run', 'cluster', '--', '--folder', join(folder, 'cluster')])
    expect(findDescendants().length).toBeGreaterThan(5)
    expect(await end(signal)).toBe(0)
    expect(output()).toContain('Stopping; again ends it at once.')
    await expect.poll(findDescendants).toEqual([])
  },
)

/** Copies the sources, so that nothing is built there yet. */
function copyUnbuilt(): string {
  const copy = join(folder, 'unbuilt')
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of files.toString().split('\0').filter(Boolean))
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

const WHILE_BUILDING = [
  { signal: SIGNALS[0], name: 'npm start', args: ['start'] },
  { signal: SIGNALS[1], name: 'npm run cluster', args: ['run', 'cluster'] },
]

onLinux.each(WHILE_BUILDING)('$name, $signal during the build: it ends, and no process is left', async (given) => {
  const output = await spawnNpm(given.args, copyUnbuilt())
  const findBuild = () => findDescendants().some(({ command }) => command.includes('tools/build.ts'))
  await expect.poll(findBuild, { interval: 50 }).toBe(true)
  expect(await end(given.signal)).toBe(0)
  expect(output()).not.toMatch(/failed/i)
  await expect.poll(findDescendants).toEqual([])
})
