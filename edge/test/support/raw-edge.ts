// The built edge as a process, with all that it says: for tests of its start, its output and its end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface StartedEdge {
  child: ChildProcess
  /** Both outputs so far. */
  output(): string
  exited: Promise<number | null>
}

/** With these settings and no others, on a free port; behind another program when `prefix` has one. The edge must be built. */
export function startRawEdge(settings: Record<string, string>, prefix: string[] = []): StartedEdge {
  const [program = '', ...words] = [...prefix, process.execPath, '--enable-source-maps', MAIN]
  const child = spawn(program, words, {
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

/** Its address, once it listens. */
export async function listening({ output }: StartedEdge): Promise<string> {
  await expect.poll(output, { timeout: 50_000, interval: 20 }).toContain('listening')
  return /"address":"([^"]+)"/.exec(output())?.[1] ?? ''
}

export async function endAll(started: StartedEdge[]): Promise<void> {
  for (const { child, exited } of started) {
    child.kill('SIGKILL')
    await exited
  }
}
