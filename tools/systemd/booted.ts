// Boots a real systemd beside this machine's own, with the unit of the service in it.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')
const NAMESPACES = ['--pid', '--fork', '--kill-child=KILL', '--mount', '--uts', '--ipc', '--cgroup']
const LIMIT_MS = 60_000

export interface Booted {
  /** Runs a command on the booted system as root. @returns its output @throws with its output when it fails */
  run(command: string, ...args: string[]): Promise<string>
  /** Ends all its processes; its files lie in memory and go with them. */
  end(): Promise<void>
}

/** Resolves when systemd takes commands. `env` is the text of the service's env file. @throws without root */
export async function bootSystemd(env: string): Promise<Booted> {
  if (process.getuid?.() !== 0) throw new Error('This test boots systemd in namespaces, which needs root.')
  const folder = mkdtempSync(join(tmpdir(), 'nc-systemd-'))
  const file = join(folder, 'env')
  writeFileSync(file, env)
  const output: string[] = []
  const args = [...NAMESPACES, join(import.meta.dirname, 'boot.sh'), ROOT, file]
  // A killed test leaves no system behind.
  const outer = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [outer.stdout, outer.stderr]) stream.on('data', (chunk: Buffer) => output.push(String(chunk)))
  const killOuter = () => outer.kill('SIGKILL')
  process.on('exit', killOuter)
  const end = async () => {
    await kill(outer)
    process.off('exit', killOuter)
    rmSync(folder, { recursive: true, force: true })
  }
  const run = async (command: string, ...given: string[]) => {
    const inside = ['--target', firstChild(outer), '--pid', '--mount', '--uts', '--ipc', '--cgroup', '--', command]
    const { stdout, stderr } = await promisify(execFile)('nsenter', [...inside, ...given])
    return stdout + stderr
  }
  const until = performance.now() + LIMIT_MS
  // `degraded`: units of this Debian that need devices have failed.
  while (!/^(running|degraded)/.test(await run('systemctl', 'is-system-running').catch(stateOf))) {
    if (outer.exitCode === null && performance.now() < until) {
      await new Promise((next) => setTimeout(next, 50))
      continue
    }
    await end()
    throw new Error(`systemd did not boot: ${output.join('')}`)
  }
  return { run, end }
}

/** The command fails in each state but one. */
function stateOf(error: unknown): string {
  return (error as { stdout?: string }).stdout ?? ''
}

function firstChild({ pid }: ChildProcess): string {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  if (first === undefined || first === '') throw new Error('The namespaces have no process.')
  return first
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
