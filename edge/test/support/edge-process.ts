// Starts the built edge as a separate process, so that tests can kill it.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { listParts, listStale } from '../../../tools/build/parts.ts'
import { prepareSeeded } from './prepared-folders.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

export interface EdgeProcess {
  url: string
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>
  /** Sends SIGTERM. @returns the exit status */
  stop(): Promise<number | null>
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>
}

/** Builds the programs whose sources have changed; otherwise it only reads file times and starts no process. */
export async function buildEdge(): Promise<void> {
  if (listStale(ROOT, listParts(ROOT)).length === 0) return
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: ROOT })
}

/**
 * Starts the edge on a free port, at first on a folder that was seeded before (`prepareSeeded`). `settings` override those
 * of every test edge, for example with those of the engine.
 * @throws when it ends before it listens
 */
export async function startEdgeProcess(dataDir: string, settings: Record<string, string> = {}): Promise<EdgeProcess> {
  const own = { PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'plain', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }
  const env = { ...process.env, ...own, ...settings }
  await prepareSeeded(env, 'with campaigns')
  const child = spawn(process.execPath, ['edge/dist/main.js'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit').then(() => {})
  const url = await addressOf(child)
  const endWith = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }
  return {
    url,
    kill: async () => {
      await endWith('SIGKILL')
    },
    stop: () => endWith('SIGTERM'),
    ended,
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('no output to read')
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString()
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; address?: string }) : {}
    if (entry.msg !== 'listening' || entry.address === undefined) continue
    child.stdout.resume()
    return entry.address
  }
  throw new Error(`the edge did not start: ${errorOutput}`)
}

/** Returns the findings of `npm run stats:rebuild` on a stopped store. The edge must be built. */
export async function rebuildStats(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<{ counters: number; differed: number }> {
  const env = { ...process.env, DATA_DIR: dataDir, ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, ['edge/dist/stats-rebuild.js'], { cwd: ROOT, env })
  return JSON.parse(stdout.split('\n')[0] ?? '') as { counters: number; differed: number }
}
