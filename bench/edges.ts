// Edges to measure: the built server as a process of its own, on SQLite or on a private PostgreSQL; and seeded data, made once in a run.

import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from '../tools/servers/postgres.ts'
import { startRedis } from '../tools/servers/redis.ts'
import type { Server } from '../tools/servers/server-process.ts'
import { type Program, startProgram } from './process.ts'
import { storeMessages } from './seed.ts'

export const ROOT = resolve(import.meta.dirname, '..')
const MAIN = join(ROOT, 'edge/dist/main.js')

export type Engine = 'sqlite' | 'postgres'

export interface Edge extends Program {
  dataDir: string
  engine: string
  /** Its environment, for a second node or the command line. */
  settings: Record<string, string>
}

export interface EdgeOptions {
  engine?: Engine
  env?: Record<string, string>
  /** Pins it, with all its threads, to that core. */
  core?: number | undefined
  /** Begins with so many inbox messages stored (SQLite). */
  stored?: number
  /** Goes on with the folder of an edge that was stopped. */
  dataDir?: string
  /** A second node of that edge: on its database and Redis, with a folder of its own. */
  beside?: Edge
}

export interface Edges {
  /** Starts one that is stopped at the end of the benchmark, if not before. */
  start(options?: EdgeOptions): Promise<Edge>
  /** Another program of ours, stopped likewise. */
  startOther(args: string[], core?: number): Promise<Program>
  /** The engines that this run measures: SQLite, and PostgreSQL where `NC_BENCH` names it. */
  engines(): Engine[]
  /** Which engines answered, as they call themselves. */
  seen: Set<string>
  /** Stops what was started and removes its data. */
  clear(): Promise<void>
  /** `clear`, and what the whole run kept. */
  close(): Promise<void>
}

/** `say`: progress while data are seeded. */
export function createEdges(say: (text: string) => void): Edges {
  const running = new Set<Program>()
  const folders = new Set<string>()
  const seeds = new Map<number, string>()
  const seen = new Set<string>()
  let servers: { postgres: Server; redis: Server } | undefined
  let databases = 0

  function makeFolder(): string {
    const folder = mkdtempSync(join(process.env.BENCH_DATA ?? tmpdir(), 'nc-bench-'))
    folders.add(folder)
    return folder
  }

  async function postgresSettings(): Promise<Record<string, string>> {
    servers ??= { postgres: await startPostgres(), redis: await startRedis() }
    databases += 1
    const database = new URL(servers.postgres.url)
    const name = `bench_${databases}`
    const { runSql } = await import('../tools/servers/postgres.ts')
    await runSql(servers.postgres.url, `CREATE DATABASE ${name}`)
    database.pathname = `/${name}`
    return { DATABASE_URL: database.href, REDIS_URL: servers.redis.url, MASTER_KEY: randomBytes(32).toString('base64') }
  }

  async function start(options: EdgeOptions = {}): Promise<Edge> {
    const dataDir = options.dataDir ?? makeFolder()
    if (options.stored !== undefined) cpSync(await seeded(options.stored), dataDir, { recursive: true })
    const settings = {
      PORT: '0',
      DATA_DIR: dataDir,
      SEED_DEMO: 'true',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'info',
      ...(options.engine === 'postgres' ? await postgresSettings() : {}),
      ...(options.beside === undefined ? {} : { ...options.beside.settings, DATA_DIR: dataDir, SEED_DEMO: 'false' }),
      ...options.env,
    }
    const program = await startOther([MAIN], options.core, settings)
    const engine = program.engine ?? 'unknown engine'
    seen.add(engine)
    return { ...program, dataDir, engine, settings }
  }

  async function startOther(args: string[], core?: number, env: Record<string, string> = {}): Promise<Program> {
    const program = await startProgram(args, core, env)
    running.add(program)
    return { ...program, stop: () => stop(program) }
  }

  async function stop(program: Program): Promise<void> {
    running.delete(program)
    await program.stop()
  }

  /** A folder with so many messages; made from the next smaller one, so that 1 M costs 1 M once. */
  async function seeded(count: number): Promise<string> {
    const known = seeds.get(count)
    if (known !== undefined) return known
    const smaller = [...seeds.keys()].filter((size) => size < count).sort((a, b) => b - a)[0] ?? 0
    const folder = mkdtempSync(join(process.env.BENCH_DATA ?? tmpdir(), 'nc-bench-seed-'))
    const from = seeds.get(smaller)
    if (from !== undefined) cpSync(from, folder, { recursive: true })
    const env = { PORT: '0', DATA_DIR: folder, SEED_DEMO: 'true', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }
    const program = await startProgram([MAIN], undefined, env)
    await storeMessages(program.address, folder, count - smaller, smaller === 0, say)
    await program.stop()
    seeds.set(count, folder)
    return folder
  }

  async function clear(): Promise<void> {
    await Promise.all([...running].map(stop))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    folders.clear()
  }

  return {
    start,
    startOther: (args, core) => startOther(args, core),
    engines: () => (process.env.NC_BENCH?.includes('postgres') === true ? ['sqlite', 'postgres'] : ['sqlite']),
    seen,
    clear,
    async close() {
      await clear()
      for (const folder of seeds.values()) rmSync(folder, { recursive: true, force: true })
      await Promise.all([servers?.postgres.remove(), servers?.redis.remove()])
    },
  }
}
