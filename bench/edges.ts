// Edges to measure: the built server as a process of its own, on SQLite or on a private PostgreSQL; and seeded data, made once in a run.

import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runSql, startPostgres } from '../tools/servers/postgres.ts'
import { startRedis } from '../tools/servers/redis.ts'
import type { Server } from '../tools/servers/server-process.ts'
import { type Program, startProgram } from './process.ts'
import { createSeeds } from './seed.ts'

export const ROOT = resolve(import.meta.dirname, '..')
const MAIN = join(ROOT, 'edge/dist/main.js')

const READY_WITHIN_MS = 30_000
const DEFAULTS = { PORT: '0', SEED_DEMO: 'true', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }

/** As an operator with a million messages has it; fsync and full_page_writes stay on. */
const POSTGRES = ['shared_buffers=512MB', 'max_wal_size=4GB', 'min_wal_size=2GB']
/** Of 16 MB each: what `min_wal_size` keeps. */
const KEPT_SEGMENTS = 128

export type Engine = 'sqlite' | 'postgres'

/** That this run measures. */
export const ENGINES: Engine[] = process.env.NC_BENCH?.includes('sqlite') === true ? ['sqlite'] : ['sqlite', 'postgres']

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
  /** Begins with so many inbox messages stored. */
  stored?: number
  /** In place of new ones: those of `settle`. */
  settings?: Record<string, string>
  /** Goes on with the folder of an edge that was stopped. */
  dataDir?: string
  /** A second node of that edge: on its database and Redis, with a folder of its own. */
  beside?: Edge
}

/** Settings of an edge that was not started yet, for the command line. */
export type Settled = Record<string, string> & { DATA_DIR: string }

export interface SettleOptions {
  engine: Engine
  like?: Edge
  /** Until the end of the run, not of the benchmark. */
  isKept?: boolean
}

export interface Edges {
  /** A folder and, on PostgreSQL, an empty database; with the master key of `like`, if it has one among its settings. */
  settle(options: SettleOptions): Promise<Settled>
  /** Starts one that is stopped at the end of the benchmark, if not before. */
  start(options?: EdgeOptions): Promise<Edge>
  /** Another program of ours, stopped likewise. */
  startOther(args: string[], core?: number): Promise<Program>
  /** A program of the checkout that speaks by messages; it is ended with the benchmark. */
  fork(file: string, args: string[]): ChildProcess
  /** The engines that this run measures: both, or SQLite alone where `NC_BENCH` says so. */
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
  const forked = new Set<ChildProcess>()
  const folders = new Set<string>()
  const kept = new Set<string>()
  const seen = new Set<string>()
  let servers: { postgres: Server; redis: Server } | undefined
  let databases = 0

  // Of a run that ends in its middle nothing shall stay behind.
  process.once('exit', () => {
    for (const child of forked) child.kill('SIGKILL')
    for (const program of running) program.kill()
    for (const folder of [...folders, ...kept]) rmSync(folder, { recursive: true, force: true })
  })

  function makeFolder(isKept = false): string {
    const folder = mkdtempSync(join(process.env.BENCH_DATA ?? tmpdir(), 'nc-bench-'))
    ;(isKept ? kept : folders).add(folder)
    return folder
  }

  /** `template`: the name of the database that it begins as a copy of. */
  async function createDatabase(template?: string): Promise<string> {
    servers ??= { postgres: await startAged(), redis: await startRedis() }
    databases += 1
    const name = `bench_${databases}`
    await runSql(
      servers.postgres.url,
      `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template} STRATEGY FILE_COPY`}`,
    )
    return Object.assign(new URL(servers.postgres.url), { pathname: `/${name}` }).href
  }

  async function postgresSettings(): Promise<Record<string, string>> {
    const databaseUrl = await createDatabase()
    const redisUrl = servers?.redis.url ?? ''
    return { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, MASTER_KEY: randomBytes(32).toString('base64') }
  }

  async function settle({ engine, like, isKept = false }: SettleOptions): Promise<Settled> {
    const own = engine === 'postgres' ? await postgresSettings() : {}
    const key = like === undefined ? undefined : masterKeyOf(like)
    return { ...DEFAULTS, DATA_DIR: makeFolder(isKept), ...own, ...(key === undefined ? {} : { MASTER_KEY: key }) }
  }

  async function start(options: EdgeOptions = {}): Promise<Edge> {
    const { beside, engine, stored } = options
    const settings = options.settings ?? (stored === undefined ? {} : await seeds.copy(engine ?? 'sqlite', stored))
    const dataDir = options.dataDir ?? settings.DATA_DIR ?? makeFolder()
    const isNew = settings.DATA_DIR === undefined && beside === undefined
    const all: Record<string, string> = {
      ...DEFAULTS,
      ...(isNew && engine === 'postgres' ? await postgresSettings() : {}),
      ...settings,
      ...(beside === undefined ? {} : { ...beside.settings, SEED_DEMO: 'false' }),
      ...options.env,
      DATA_DIR: dataDir,
    }
    const program = await startOther([MAIN], options.core, all)
    await ready(program.address)
    // One that waited for its database tells its address before its engine.
    const said = program.engine ?? (all.DATABASE_URL === undefined ? 'SQLite' : 'PostgreSQL')
    seen.add(said)
    return { ...program, dataDir, engine: said, settings: all }
  }

  async function startOther(args: string[], core?: number, env: Record<string, string> = {}): Promise<Program> {
    const program = await startProgram(args, core, env)
    running.add(program)
    return { ...program, stop: () => stop(program) }
  }

  async function startReady(settings: Settled): Promise<Program> {
    const program = await startOther([MAIN], undefined, settings)
    await ready(program.address)
    return program
  }

  async function stop(program: Program): Promise<void> {
    running.delete(program)
    await program.stop()
  }

  async function clear(): Promise<void> {
    for (const child of forked) child.kill('SIGKILL')
    forked.clear()
    await Promise.all([...running].map(stop))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    folders.clear()
  }

  const seeds = createSeeds({
    settle,
    startEdge: startReady,
    createDatabase,
    say,
  })
  return {
    settle,
    start,
    startOther: (args, core) => startOther(args, core),
    fork(file, args) {
      const child = fork(join(ROOT, file), args, { execArgv: ['--import', 'tsx'] })
      forked.add(child)
      return child
    },
    engines: () => ENGINES,
    seen,
    clear,
    async close() {
      await clear()
      for (const folder of kept) rmSync(folder, { recursive: true, force: true })
      await Promise.all([servers?.postgres.remove(), servers?.redis.remove()])
    },
  }
}

/**
 * With a log whose files are there to be written over, as a server has them that has run for a while. A new one makes each file in
 * the midst of a COMMIT, which waits for that and for what the file system has to write with it (docs/performance.md).
 */
async function startAged(): Promise<Server> {
  const server = await startPostgres({ settings: POSTGRES })
  if (process.env.NC_BENCH?.includes('rehearse') === true) return server
  const fill = `SELECT FROM generate_series(1, ${KEPT_SEGMENTS}) WHERE pg_logical_emit_message(false, 'bench', repeat('x', 16000000)) IS NULL`
  await runSql(server.url, fill, 'CHECKPOINT')
  return server
}

/** Of a setting or, on SQLite, of the file that the edge made. */
function masterKeyOf({ settings, dataDir }: Edge): string | undefined {
  const path = join(dataDir, 'master.key')
  return settings.MASTER_KEY ?? (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined)
}

/** It listens before it is ready when its database lets it wait. */
async function ready(address: string): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS
  // Between waiting for its database and serving it listens anew.
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (performance.now() > until) throw new Error(`${address} is not ready`)
    await delay(20)
  }
}
