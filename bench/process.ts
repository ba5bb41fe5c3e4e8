// Starts and stops the programs that are measured; each says its address as JSON on its first lines.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Program {
  address: string
  /** What it said of its engine, if anything. */
  engine: string | undefined
  pid: number
  /** At once, for a run that ends in its middle. */
  kill(): void
  stop(): Promise<void>
}

// As `npm start` runs the edge; the bare server and the load get the same.
const HEAP = ['--max-semi-space-size=32']

/** `core`: pins it, with all its threads, to that core; undefined leaves it to the system. */
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
  const said = await firstAddress(child)
  return { ...said, pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL'), stop: () => stop(child) }
}

async function firstAddress(child: ChildProcess): Promise<{ address: string; engine: string | undefined }> {
  if (child.stdout === null) throw new Error('no output to read')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    const said = JSON.parse(line) as { address?: string; engine?: string }
    if (said.address === undefined) continue
    child.stdout.resume()
    return { address: said.address, engine: said.engine }
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
