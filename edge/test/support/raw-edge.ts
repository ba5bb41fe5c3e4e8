// Starts the built edge as a process and keeps its output, for tests of start, output and end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface StartedEdge {
  child: ChildProcess
  /** Standard output and standard error so far. */
  output(): string
  exited: Promise<number | null>
}

/**
 * Starts the edge with only these settings on a free port; `prefix` is a program that runs it.
 * The edge must be built.
 */
export function startRawEdge(settings: Record<string, string>, prefix: string[] = []): StartedEdge {
  const [program = '', ...args] = [...prefix, process.execPath, '--enable-source-maps', MAIN]
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...settings },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return { child, output: () => output, exited }
}

/** Waits until the edge listens. @returns its URL */
export async function waitUntilListening({ output }: StartedEdge): Promise<string> {
  await expect.poll(output, { interval: 20 }).toContain('listening')
  return /"address":"([^"]+)"/.exec(output())?.[1] ?? ''
}

/** Kills the processes, and waits until each has ended. */
export async function killAll(started: StartedEdge[]): Promise<void> {
  for (const { child, exited } of started) {
    child.kill('SIGKILL')
    await exited
  }
}
