// Runs one phase in a process group of its own, so that whatever it leaves running is ended with it.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Ending } from './counts.ts'

const running = new Set<ChildProcess>()

export interface Ran extends Ending {
  output: string
}

/** Runs node with these arguments and settings added; both outputs in the order in which they came. */
export function runNode(
  args: string[],
  root: string,
  limitMs: number,
  added: Record<string, string> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...added }
    const child = spawn(process.execPath, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      killGroup(child)
    }, limitMs)
    // `exit` and not `close`: a stray grandchild may hold the pipes open until its group is killed here.
    child.on('exit', () => killGroup(child))
    child.on('error', (error) => chunks.push(Buffer.from(String(error))))
    child.on('close', (status) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ status, isTimedOut, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Ends everything that a phase started; for the way out. */
export function killAll(): void {
  for (const child of running) killGroup(child)
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}
