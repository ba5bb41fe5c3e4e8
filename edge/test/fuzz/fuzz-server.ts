// Starts the built edge in a process of its own on a new folder, and reads its log while requests are sent.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { startCleanupProcess } from '../../../tools/servers/cleanup-process.ts'
import { startPostgres } from '../../../tools/servers/postgres.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const STOP_LIMIT_MS = 20_000

export interface LogLine {
  level: string
  msg: string
  address?: string
  link?: string
  correlationId?: string
  error?: { name?: string; message?: string; stack?: string; causes?: string[] }
}

export interface FuzzServer {
  url: string
  /** Of the link that sets it up. */
  code: string
  isRunning(): boolean
  /** Resolves with the first line from now on that fits. */
  nextLine(fits: (line: LogLine) => boolean): Promise<LogLine>
  /** @returns Bytes of memory of the process, and of its live objects, from its metrics. */
  readMemory(): Promise<{ resident: number; heap: number }>
  /** Ends it, and removes its folder. @returns the exit status; null: it had to be killed */
  stop(): Promise<number | null>
}

export interface FuzzServerOptions {
  engine: 'sqlite' | 'postgres'
  /** Receives each line of the log, and what else the process prints. */
  onLine(line: LogLine, text: string): void
}

/** Starts it. Rate limits are off, so that requests reach what stands behind them. @throws when it does not start */
export async function startFuzzServer({ engine, onLine }: FuzzServerOptions): Promise<FuzzServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nc-fuzz-'))
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const child = spawn(process.execPath, ['edge/dist/main.js'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      ...{ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'info' },
      ...(postgres && { DATABASE_URL: postgres.url, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const cleanup = startCleanupProcess(dataDir)
  cleanup.watch(child.pid)
  const waiting = new Set<(line: LogLine) => void>()
  const read = (text: string) => {
    const line = parseLine(text)
    onLine(line, text)
    for (const look of waiting) look(line)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', read)
  const nextLine: FuzzServer['nextLine'] = (fits) =>
    new Promise((found, fail) => {
      const look = (line: LogLine) => {
        if (!fits(line)) return
        waiting.delete(look)
        found(line)
      }
      waiting.add(look)
      child.once('exit', () => fail(new Error('The server has ended.')))
    })
  child.setMaxListeners(100)
  const setUp = nextLine(({ msg, link }) => msg.startsWith('no member yet') && link !== undefined)
  const { address = '' } = await nextLine(({ msg }) => msg === 'listening')
  return {
    url: address,
    code: (await setUp).link?.split('#')[1] ?? '',
    isRunning: () => child.exitCode === null && child.signalCode === null,
    nextLine,
    readMemory: () => readMemory(address),
    async stop() {
      const status = await end(child)
      await postgres?.remove()
      await cleanup.clear()
      return status
    },
  }
}

function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return { level: 'error', msg: 'output that is no log line', error: { message: text } }
  }
}

async function readMemory(url: string): Promise<{ resident: number; heap: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const metricOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { resident: metricOf('process_resident_memory_bytes'), heap: metricOf('nodejs_heap_size_used_bytes') }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await exited
  clearTimeout(timer)
  return child.exitCode
}
