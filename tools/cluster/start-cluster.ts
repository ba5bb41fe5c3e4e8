// Several edge processes on one PostgreSQL and one Redis, behind the small proxy, on one machine (docs/operations.md, "Several nodes").

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { findFreePort, type Server } from '../servers/server-process.ts'
import { type ClusterNode, createNode, type Program } from './node.ts'
import { createProxy, type RunningProxy } from './proxy.ts'

export interface ClusterOptions {
  /** For the data of the servers, demo.json, the master key and the logs. */
  folder: string
  nodes: number
  /** Of the proxy; 0 takes a free one. */
  port: number
  /** Settings of the nodes. With DATABASE_URL or REDIS_URL that server is used in place of one of our own. */
  env?: Record<string, string | undefined>
  /** What the nodes run; the built demo unless told otherwise. */
  program?: Program
  say?(line: string): void
}

export interface Cluster {
  /** Of the proxy: the one address that clients need. */
  url: string
  nodes: ClusterNode[]
  proxy: RunningProxy
  /** Where demo.json is. */
  dataDir: string
  databaseUrl: string
  redisUrl: string
  /** SIGTERM to one node after the other; each is ready again before the next is stopped. Answers the exit statuses. */
  restartInTurn(): Promise<(number | null)[]>
  close(): Promise<void>
}

const ROOT = resolve(import.meta.dirname, '../..')
/** The demo with the edge, as built. */
export const BUILT: Program = {
  args: ['--max-semi-space-size=32', '--enable-source-maps', 'demo/dist/main.js'],
  cwd: ROOT,
}
const PROBE = { path: '/readyz', everyMs: 100 }
/** Several probes long: the proxy looks away before a node refuses. */
const DRAIN_NOTICE = 'PT1S'

/** The edge and the demo must be built. Throws when a server or a node does not start; then nothing is left running. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const say = options.say ?? (() => {})
  // Passed through by the user that the database runs as; what is secret in it is its owner's alone.
  mkdirSync(options.folder, { recursive: true, mode: 0o711 })
  const ends: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const { databaseUrl, redisUrl } = await provideStores(options, ends, say)
    const nodes: ClusterNode[] = []
    const ready = new Set<ClusterNode>()
    const targets = () => [...ready].map(({ port }) => ({ host: '127.0.0.1', port }))
    const proxy = await createProxy({ host: '127.0.0.1', port: options.port, targets, probe: PROBE })
    ends.push(proxy.close)
    const env = settingsOf(options, { databaseUrl, redisUrl, url: proxy.url })
    for (let at = 1; at <= options.nodes; at += 1) nodes.push(await createNodeOf(options, env, at, say))
    ends.push(() => Promise.all(nodes.map((node) => node.stop())))
    const [first, ...others] = nodes
    const start = async (node: ClusterNode) => {
      await node.start()
      ready.add(node)
      say(`${node.name} is ready (process ${node.pid}, port ${node.port})`)
    }
    // The first one creates the tables and the demo organisation; the others find them.
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
  say: (line: string) => void,
): Promise<{ databaseUrl: string; redisUrl: string }> {
  const own = async (name: string, start: (place: { folder: string }) => Promise<Server>) => {
    const server = await start({ folder: join(folder, name) })
    ends.push(async () => {
      await server.stop()
      await server.remove()
    })
    say(`${name} is ready (process ${server.pid})`)
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
  const dataDir = env.DATA_DIR ?? folder
  mkdirSync(dataDir, { recursive: true })
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: found.url,
    // The proxy adds the address of the client.
    TRUSTED_PROXIES: '1',
    DRAIN_NOTICE,
    MASTER_KEY: env.MASTER_KEY ?? masterKeyOf(dataDir),
    ...env,
    DATA_DIR: dataDir,
    DATABASE_URL: found.databaseUrl,
    REDIS_URL: found.redisUrl,
  }
}

/** Kept beside the data that it seals. */
function masterKeyOf(dataDir: string): string {
  const path = join(dataDir, 'master.key')
  if (!existsSync(path)) writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return readFileSync(path, 'utf8').trim()
}

async function createNodeOf(
  { folder, program = BUILT }: ClusterOptions,
  env: Record<string, string>,
  at: number,
  say: (line: string) => void,
): Promise<ClusterNode> {
  const port = await findFreePort()
  const name = `node ${at}`
  return createNode({
    name,
    port,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    program,
    logPath: join(folder, `node-${at}.log`),
    say,
  })
}
