// Runs one step in its own process group, so that processes that it leaves behind are ended with it.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Ending } from './cases.ts'

const running = new Set<ChildProcess>()

export interface Ran extends Ending {
  output: string
}

/** Runs node with these arguments and additional settings. @returns both outputs in the order of arrival */
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
    // Waits for `exit`, not `close`: a stray grandchild may hold the pipes open until its group is killed here.
    child.on('exit', () => killGroup(child))
    child.on('error', (error) => chunks.push(Buffer.from(String(error))))
    child.on('close', (status) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ status, isTimedOut, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Ends all processes of running steps; called on exit. */
export function killAll(): void {
  for (const child of running) killGroup(child)
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is already gone.
  }
}
