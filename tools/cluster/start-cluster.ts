// Starts several edge processes on one PostgreSQL and one Redis, behind HAProxy, on one machine (docs/operations.md).

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isLoopback } from '../../edge/index.ts'
import { startPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { findFreePort, type Server } from '../servers/server-process.ts'
import { type ClusterNode, createNode, type Program } from './node.ts'
import { createProxy, type RunningProxy } from './proxy.ts'

export interface ClusterOptions {
  /** Folder for the data of the servers, demo.json, the master key and the logs. */
  folder: string
  nodes: number
  /** Port of the proxy; 0 chooses a free one. */
  port: number
  /** Settings of the nodes. DATABASE_URL or REDIS_URL names a running server to use instead of a private one. */
  env?: Record<string, string | undefined>
  /** Program of the nodes; default: the built demo. */
  program?: Program
  log?(line: string): void
}

export interface Cluster {
  /** URL of the proxy, the only address that clients need. */
  url: string
  nodes: ClusterNode[]
  proxy: RunningProxy
  /** Path of demo.json. */
  dataDir: string
  databaseUrl: string
  redisUrl: string
  /** Restarts one node after the other by SIGTERM; each is ready before the next is stopped. @returns the exit statuses */
  restartInTurn(): Promise<(number | null)[]>
  close(): Promise<void>
}

const ROOT = resolve(import.meta.dirname, '../..')
/** The built demo with the edge. */
export const BUILT: Program = {
  args: ['--max-semi-space-size=32', '--enable-source-maps', 'demo/dist/main.js'],
  cwd: ROOT,
}
/** Two probe intervals of haproxy-nodes.cfg: the proxy stops using a node before that node refuses. */
const DRAIN_NOTICE = 'PT1S'

/** Starts the cluster; the edge and the demo must be built. @throws when a server or node does not start, and stops all others */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const log = options.log ?? (() => {})
  // Traversable for the user that the database runs as; only the owner can read secret files.
  mkdirSync(options.folder, { recursive: true, mode: 0o711 })
  const ends: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const { databaseUrl, redisUrl } = await provideStores(options, ends, log)
    const ports: number[] = []
    for (let at = 1; at <= options.nodes; at += 1) ports.push(await findFreePort())
    const proxy = await createProxy({ port: options.port, nodes: ports, folder: join(options.folder, 'proxy') })
    ends.push(proxy.close)
    log(`proxy is ready (process ${proxy.pid})`)
    const env = settingsOf(options, { databaseUrl, redisUrl, url: proxy.url })
    const nodes = ports.map((port, at) => createNodeOf(options, env, { port, name: `node ${at + 1}`, log }))
    ends.push(() => Promise.all(nodes.map((node) => node.stop())))
    const [first, ...others] = nodes
    const start = async (node: ClusterNode) => {
      await node.start()
      log(`${node.name} is ready (process ${node.pid}, port ${node.port})`)
    }
    // The first node creates the tables and the demo organisation; the others find them.
    if (first !== undefined) await start(first)
    await Promise.all(others.map(start))
    return {
      url: proxy.url,
      nodes,
      proxy,
      dataDir: env.DATA_DIR,
      databaseUrl,
      redisUrl,
      restartInTurn: () => restartInTurn(nodes),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function restartInTurn(nodes: ClusterNode[]): Promise<(number | null)[]> {
  const statuses: (number | null)[] = []
  for (const node of nodes) {
    statuses.push(await node.stop())
    await node.start()
  }
  return statuses
}

async function provideStores(
  { folder, env = {} }: ClusterOptions,
  ends: (() => Promise<unknown>)[],
  log: (line: string) => void,
): Promise<{ databaseUrl: string; redisUrl: string }> {
  const own = async (name: string, start: (place: { folder: string }) => Promise<Server>) => {
    const server = await start({ folder: join(folder, name) })
    ends.push(async () => {
      await server.stop()
      await server.remove()
    })
    log(`${name} is ready (process ${server.pid})`)
    return server.url
  }
  return {
    databaseUrl: env.DATABASE_URL ?? (await own('postgres', startPostgres)),
    redisUrl: env.REDIS_URL ?? (await own('redis', startRedis)),
  }
}

function settingsOf(
  { folder, env = {} }: ClusterOptions,
  found: { databaseUrl: string; redisUrl: string; url: string },
): Record<string, string> & { DATA_DIR: string } {
  // A folder of its own, which is closed to other accounts: the database's account must be able to enter the one above.
  const dataDir = env.DATA_DIR ?? join(folder, 'data')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: found.url,
    // The proxy sets the address of the client, and listens on this machine alone.
    TRUSTED_PROXIES: '1',
    SEED_DEMO: String(isLoopback(env.HOST ?? '127.0.0.1')),
    DRAIN_NOTICE,
    MASTER_KEY: env.MASTER_KEY ?? masterKeyOf(dataDir),
    ...env,
    DATA_DIR: dataDir,
    DATABASE_URL: found.databaseUrl,
    REDIS_URL: found.redisUrl,
  }
}

/** Returns the master key, which is kept in the data folder. */
function masterKeyOf(dataDir: string): string {
  const path = join(dataDir, 'master.key')
  if (!existsSync(path)) writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return readFileSync(path, 'utf8').trim()
}

function createNodeOf(
  { folder, program = BUILT }: ClusterOptions,
  env: Record<string, string>,
  { name, port, log }: { name: string; port: number; log(line: string): void },
): ClusterNode {
  return createNode({
    name,
    port,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    program,
    logPath: join(folder, `${name.replace(' ', '-')}.log`),
    log,
  })
}
