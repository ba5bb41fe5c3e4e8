// Starts and stops measured programs; each prints its address as JSON on its first lines.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Program {
  address: string
  /** The engine that it printed, if any. */
  engine: string | undefined
  pid: number
  /** Kills the process at once, for an interrupted run. */
  kill(): void
  stop(): Promise<void>
}

// The heap options of `npm start`, also for the bare server and the load.
const HEAP = ['--max-semi-space-size=32']

/** Builds a command line. `core` pins the process with all its threads; undefined leaves it to the system. */
export function command(core: number | undefined, args: string[]): [string, string[]] {
  const all = [...HEAP, ...args]
  return core === undefined ? [process.execPath, all] : ['taskset', ['-c', String(core), process.execPath, ...all]]
}

export async function startProgram(
  args: string[],
  core: number | undefined,
  env: Record<string, string> = {},
): Promise<Program> {
  const [file, all] = command(core, args)
  const child = spawn(file, all, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = await firstAddress(child)
  return { ...printed, pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL'), stop: () => stop(child) }
}

async function firstAddress(child: ChildProcess): Promise<{ address: string; engine: string | undefined }> {
  if (child.stdout === null) throw new Error('no output to read')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    const printed = JSON.parse(line) as { address?: string; engine?: string }
    if (printed.address === undefined) continue
    child.stdout.resume()
    return { address: printed.address, engine: printed.engine }
  }
  throw new Error('the program ended before it listened')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await exited
  clearTimeout(timer)
}

export type Engine = 'sqlite' | 'postgres'

/** Settings of an edge that is not started yet, for the command line. */
export type Settled = Record<string, string> & { DATA_DIR: string }
