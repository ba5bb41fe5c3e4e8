// Starts the edges to measure: the built server as a process, on SQLite or a private PostgreSQL, with data seeded once per run.

import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runSql, startPostgres } from '../tools/servers/postgres.ts'
import { startRedis } from '../tools/servers/redis.ts'
import type { Server } from '../tools/servers/server-process.ts'
import { type Engine, type Program, type Settled, startProgram } from './process.ts'
import { createSeeds } from './seed.ts'

export const ROOT = resolve(import.meta.dirname, '..')
const MAIN = join(ROOT, 'edge/dist/main.js')

const READY_WITHIN_MS = 30_000
const DEFAULTS = { PORT: '0', SEED_DEMO: 'plain', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }

/** Settings for a store of a million messages; fsync and full_page_writes stay on. */
const POSTGRES = ['shared_buffers=512MB', 'max_wal_size=4GB', 'min_wal_size=2GB']
/** Segments of 16 MB that `min_wal_size` keeps. */
const KEPT_SEGMENTS = 128

/** The engines that this run measures. */
export const ENGINES: Engine[] = process.env.NC_BENCH?.includes('sqlite') === true ? ['sqlite'] : ['sqlite', 'postgres']

export interface Edge extends Program {
  dataDir: string
  engine: string
  /** Settings of the edge, for a second node or the command line. */
  settings: Record<string, string>
}

export interface EdgeOptions {
  engine?: Engine
  env?: Record<string, string>
  /** Pins the process with all its threads to this core. */
  core?: number | undefined
  /** Number of inbox messages that are stored before the start. */
  stored?: number
  /** Settings that `settle` returned, in place of new ones. */
  settings?: Record<string, string>
  /** Data folder of a stopped edge that this one continues with. */
  dataDir?: string
  /** Starts a second node of this edge: on its database and Redis, with its own folder. */
  beside?: Edge
}

export interface SettleOptions {
  engine: Engine
  like?: Edge
  /** Keeps the server until the end of the run, not only of the benchmark. */
  isKept?: boolean
}

export interface Edges {
  /**
   * Creates a folder and, on PostgreSQL, an empty database. Keeps the master key of `like`, if its settings contain
   * one.
   */
  settle(options: SettleOptions): Promise<Settled>
  /** Starts an edge, which is stopped at the end of the benchmark at the latest. */
  start(options?: EdgeOptions): Promise<Edge>
  /** Starts another program, which is stopped in the same way. */
  startOther(args: string[], core?: number): Promise<Program>
  /** Forks a program of the checkout that exchanges messages; it ends with the benchmark. */
  fork(file: string, args: string[]): ChildProcess
  /** Lists the engines to measure: both, or SQLite alone where `NC_BENCH` asks for it. */
  engines(): Engine[]
  /** Engines that answered, by their own names. */
  seen: Set<string>
  /** Stops the servers of the benchmark and removes their data. */
  clear(): Promise<void>
  /** Does `clear` for the servers and data that the whole run kept, too. */
  close(): Promise<void>
}

/** Creates the edges of a run. `log` receives the progress while data are stored. */
export function createEdges(log: (text: string) => void): Edges {
  const running = new Set<Program>()
  const forked = new Set<ChildProcess>()
  const folders = new Set<string>()
  const kept = new Set<string>()
  const seen = new Set<string>()
  let servers: { postgres: Server; redis: Server } | undefined
  let databases = 0

  // An interrupted run must not leave processes or folders behind.
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

  /** Creates a database, as a copy of `template` when that is given. @returns its address */
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
    // A server that had to wait for its database prints its address before its engine.
    const printed = program.engine ?? (all.DATABASE_URL === undefined ? 'SQLite' : 'PostgreSQL')
    seen.add(printed)
    return { ...program, dataDir, engine: printed, settings: all }
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
    log,
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
 * Starts a PostgreSQL whose log segments exist already, as on a server that has run for a while. A new server creates
 * each segment during a COMMIT, which waits for the file system (docs/performance.md).
 */
async function startAged(): Promise<Server> {
  const server = await startPostgres({ settings: POSTGRES })
  if (process.env.NC_BENCH?.includes('rehearse') === true) return server
  const fill = `SELECT FROM generate_series(1, ${KEPT_SEGMENTS}) WHERE pg_logical_emit_message(false, 'bench', repeat('x', 16000000)) IS NULL`
  await runSql(server.url, fill, 'CHECKPOINT')
  return server
}

/** Returns the master key of the settings or, on SQLite, of the file that the edge created. */
function masterKeyOf({ settings, dataDir }: Edge): string | undefined {
  const path = join(dataDir, 'master.key')
  return settings.MASTER_KEY ?? (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined)
}

/** Waits for readiness: an edge listens before it is ready when its database is late. */
async function ready(address: string): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS
  // The edge listens again on the same port when its database is there.
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
